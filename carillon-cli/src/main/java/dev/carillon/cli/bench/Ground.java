package dev.carillon.cli.bench;

import dev.carillon.bench.Sql;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * What bounds every figure: the server, and the way to it.
 *
 * @param version of PostgreSQL
 * @param place where it is, in words
 * @param roundTrip the median time of asking for nothing, in milliseconds
 * @param commit the median time of a tiny commit, its round trip included, in milliseconds
 * @param warnings why the figures may say less than they seem to
 */
record Ground(
    String version, String place, double roundTrip, double commit, List<String> warnings) {
  private static final int SAMPLES = 300;
  private static final int WARM_UP = 100;
  private static final Duration MAX_SAMPLING_TIME = Duration.ofSeconds(3);
  private static final List<String> DURABLE =
      List.of("fsync", "full_page_writes", "synchronous_commit");

  static Ground survey(Site site, Scratch database) {
    Sql sql = database.sql();
    sql.run("create table carillon_bench (number int)");
    return new Ground(
        sql.text("show server_version"),
        site.place(),
        medianMillis(sql, "select 1"),
        medianMillis(sql, "insert into carillon_bench (number) values (1)"),
        warnings(site, sql));
  }

  private static List<String> warnings(Site site, Sql sql) {
    var warnings = new ArrayList<String>();
    for (String setting : DURABLE) {
      if (sql.text("show " + setting).equals("off")) {
        warnings.add(
            "%s is off on this server: a crash may lose what was committed, and the figures say nothing about a server that keeps it"
                .formatted(setting));
      }
    }
    if (site.inMemory()) {
      warnings.add(
          "the data of this server is in memory, and the figures say nothing about a disk; choose a folder on one with --data");
    }
    return warnings;
  }

  private static double medianMillis(Sql sql, String statement) {
    try (Connection connection = sql.source().connect();
        PreparedStatement prepared = connection.prepareStatement(statement)) {
      time(prepared, WARM_UP);
      long[] nanos = time(prepared, SAMPLES);
      Arrays.sort(nanos);
      return nanos[nanos.length / 2] / 1e6;
    } catch (SQLException e) {
      throw Sql.failed(statement, e);
    }
  }

  /** Execute {@code statement} so many times, or fewer if that takes too long. */
  private static long[] time(PreparedStatement statement, int times) throws SQLException {
    long[] nanos = new long[times];
    long end = System.nanoTime() + MAX_SAMPLING_TIME.toNanos();
    int taken = 0;
    for (long now = System.nanoTime(); taken < times && now < end; taken++) {
      long begin = now;
      statement.execute();
      now = System.nanoTime();
      nanos[taken] = now - begin;
    }
    return Arrays.copyOf(nanos, taken);
  }
}
