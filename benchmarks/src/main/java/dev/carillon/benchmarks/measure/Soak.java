package dev.carillon.benchmarks.measure;

import dev.carillon.bench.Contender;
import dev.carillon.benchmarks.contender.Entrant;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** Lets schedules fire every second for a long time and looks at the tables once a minute. */
public record Soak(Entrant entrant, Database database, int schedules, int seconds) {
  /** Tables that hold work at hand and not its past: they must not grow. */
  public static final List<String> LIVE =
      List.of("run", "lane", "cursor", "failure_streak", "node", "leader", "run_count_delta");

  /**
   * The state of the database at one moment; what adds up does so from the first sample on.
   *
   * @param liveBytes the size of each live table with its indexes
   * @param historyBytes the size of the history with its indexes
   * @param runs how many runs the history has
   */
  public record Sample(
      int minute,
      Map<String, Double> liveBytes,
      double historyBytes,
      double runs,
      double walBytes,
      double statements,
      double commits) {}

  /** What was found. */
  public record Outcome(List<Sample> samples) {}

  Outcome measure() throws InterruptedException {
    Instant first = Instant.now().truncatedTo(ChronoUnit.SECONDS).plusSeconds(15);
    try (var pool = database.pool();
        Contender contender = entrant.open(pool)) {
      contender.addEverySecond(schedules, first);
    }
    database.settle();
    database.countStatements();
    var samples = new ArrayList<Sample>();
    try (var pool = database.pool();
        Contender contender = entrant.open(pool)) {
      contender.start((number, slot, attempt) -> {});
      for (int minute = 1; minute * 60 <= seconds; minute++) {
        Instant at = first.plus(Duration.ofMinutes(minute));
        TimeUnit.MILLISECONDS.sleep(Math.max(0, Duration.between(Instant.now(), at).toMillis()));
        samples.add(sample(minute));
      }
    }
    return new Outcome(samples);
  }

  private Sample sample(int minute) {
    var live = new LinkedHashMap<String, Double>();
    for (String table : LIVE) {
      live.put(
          table, database.sql().number("select pg_total_relation_size('carillon." + table + "')"));
    }
    return new Sample(
        minute,
        live,
        database
            .sql()
            .number(
                """
                select sum(pg_total_relation_size(relid))
                  from pg_partition_tree('carillon.history')
                 where isleaf
                """),
        database.sql().number("select coalesce(sum(runs), 0) from carillon.exact_run_count"),
        database.walBytes().orElseThrow(),
        database
            .sql()
            .number(
                """
                select coalesce(sum(calls), 0)
                  from pg_stat_statements
                 where dbid = (select oid from pg_database where datname = current_database())
                """),
        database.commits());
  }
}
