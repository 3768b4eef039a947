package dev.carillon.bench;

import java.time.Duration;
import java.util.OptionalDouble;
import java.util.concurrent.TimeUnit;

/** The database of one measurement, and what it has cost so far. */
public interface MeasuredDatabase {

  /** Return access apart from the connections of what is measured. */
  Sql sql();

  /** Return how long to wait for the end of other sessions. */
  Duration silenceTimeout();

  /** Tidy up after the preparations, so that no measurement pays for them. */
  default void settle() throws InterruptedException {
    awaitSilence();
    sql().run("vacuum (analyze)");
    System.gc();
  }

  /** Wait for the end of all other sessions of ours: only then are their commits counted. */
  default void awaitSilence() throws InterruptedException {
    String others =
        """
        select count(*)
          from pg_stat_activity
         where datname = current_database()
           and usename = current_user
           and backend_type = 'client backend'
           and pid <> pg_backend_pid()
        """;
    long deadline = System.nanoTime() + silenceTimeout().toNanos();
    while (sql().number(others) > 0 && System.nanoTime() < deadline) {
      TimeUnit.MILLISECONDS.sleep(20);
    }
  }

  /** Return the transactions committed here so far; of open sessions, not the latest. */
  default double commits() {
    return sql()
        .number("select xact_commit from pg_stat_database where datname = current_database()");
  }

  /** Return the bytes of WAL that the whole server has written so far, if we may know. */
  default OptionalDouble walBytes() {
    try {
      return OptionalDouble.of(sql().number("select pg_current_wal_insert_lsn() - '0/0'::pg_lsn"));
    } catch (BenchException e) {
      if (e.notAllowed()) {
        return OptionalDouble.empty();
      }
      throw e;
    }
  }
}
