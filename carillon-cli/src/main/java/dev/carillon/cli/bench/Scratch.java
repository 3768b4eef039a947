package dev.carillon.cli.bench;

import dev.carillon.server.DatabaseUrl;
import dev.carillon.server.Pool;
import dev.carillon.server.StartException;
import java.time.Duration;
import java.util.OptionalDouble;
import java.util.concurrent.TimeUnit;

/**
 * A database that exists for one measurement.
 *
 * <p>One connection stays open from first to last: what has none was left by a bench that died.
 */
final class Scratch implements AutoCloseable {
  private static final Duration PATIENCE = Duration.ofSeconds(5);

  private final DatabaseUrl url;
  private final Pool watch;

  private Scratch(DatabaseUrl url, Pool watch) {
    this.url = url;
    this.watch = watch;
  }

  static Scratch open(DatabaseUrl url) {
    try {
      return new Scratch(url, Pool.open(url));
    } catch (StartException e) {
      throw new BenchException(
          "%s; bench had just created that database: if a pooler is in between, name the server itself"
              .formatted(e.getMessage()),
          e);
    }
  }

  /** Open connections as {@code carillon serve} does. */
  Pool pool() {
    return Pool.open(url);
  }

  Sql sql() {
    return new Sql(watch.connections());
  }

  /** Tidy up after the preparations, so that no measurement pays for them. */
  void settle() throws InterruptedException {
    awaitSilence();
    sql().run("vacuum (analyze)");
    System.gc();
  }

  /** Wait for the end of all other sessions of ours: only then are their commits counted. */
  void awaitSilence() throws InterruptedException {
    String others =
        """
        select count(*)
          from pg_stat_activity
         where datname = current_database()
           and usename = current_user
           and pid <> pg_backend_pid()
        """;
    long deadline = System.nanoTime() + PATIENCE.toNanos();
    while (sql().number(others) > 0 && System.nanoTime() < deadline) {
      TimeUnit.MILLISECONDS.sleep(50);
    }
  }

  /** Return the transactions committed here so far; of open sessions, not the latest. */
  double commits() {
    return sql()
        .number("select xact_commit from pg_stat_database where datname = current_database()");
  }

  /** Return the bytes of WAL that the whole server has written so far, if we may know. */
  OptionalDouble walBytes() {
    try {
      return OptionalDouble.of(sql().number("select pg_current_wal_insert_lsn() - '0/0'::pg_lsn"));
    } catch (BenchException e) {
      if (e.notAllowed()) {
        return OptionalDouble.empty();
      }
      throw e;
    }
  }

  String name() {
    return url.database();
  }

  @Override
  public void close() {
    watch.close();
  }
}
