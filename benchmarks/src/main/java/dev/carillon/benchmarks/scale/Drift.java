package dev.carillon.benchmarks.scale;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.concurrent.TimeUnit;

/** Measures how late handlers start when many schedules share every whole second. */
record Drift(Entrant entrant, Database database, int schedules, int seconds) {
  private static final Duration WARM_UP = Duration.ofSeconds(5);
  private static final Duration GRACE = Duration.ofSeconds(2);

  /**
   * What was found.
   *
   * @param expected how many slots there were
   * @param seen how many of them had their handler started, at the latest two seconds after the end
   * @param repeated how many starts were for a slot that had one
   * @param early how many starts were before their slot
   * @param heapBytes in use at the end
   */
  record Outcome(
      int expected,
      int seen,
      long repeated,
      long early,
      double p50Millis,
      double p99Millis,
      double maxMillis,
      long heapBytes) {}

  Outcome measure() throws InterruptedException {
    long notice = 10 + schedules / 1_000 + 2 * secondsToSettle();
    Instant first = Instant.now().truncatedTo(ChronoUnit.SECONDS).plusSeconds(notice);
    try (var pool = database.pool();
        Contender contender = entrant.open(pool)) {
      contender.addEverySecond(schedules, first);
    }
    database.settle();
    var lateness = new Lateness(schedules, first.plus(WARM_UP), seconds);
    try (var pool = database.pool();
        Contender contender = entrant.open(pool)) {
      if (Instant.now().isAfter(first)) {
        throw new IllegalStateException("the preparations took so long that slots were missed");
      }
      contender.start(lateness);
      Instant end = first.plus(WARM_UP).plusSeconds(seconds).plus(GRACE);
      TimeUnit.MILLISECONDS.sleep(Duration.between(Instant.now(), end).toMillis());
      return lateness.outcome(Heap.used());
    }
  }

  /** Return how long it takes to settle, which depends on how many schedules sleep. */
  private long secondsToSettle() throws InterruptedException {
    long start = System.nanoTime();
    database.settle();
    return TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - start);
  }
}
