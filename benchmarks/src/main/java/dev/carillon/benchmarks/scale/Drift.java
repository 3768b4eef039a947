package dev.carillon.benchmarks.scale;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.TimeUnit;

/** Measures how late handlers start when many schedules share every whole second. */
record Drift(Entrant entrant, Database database, int schedules, int seconds) {
  static final Duration WARM_UP = Duration.ofSeconds(20);

  /**
   * What was found.
   *
   * @param expected how many slots there were
   * @param seen how many of them had their handler started, at the latest two periods after the end
   * @param repeated how many starts were for a slot that had one
   * @param early how many starts were before their slot
   * @param endP99Millis in the last ten seconds alone
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
      double endP99Millis,
      long heapBytes) {
    /** Tell whether every slot had one start, and none before its time. */
    boolean isExact() {
      return seen == expected && repeated == 0 && early == 0;
    }
  }

  /** Measure, and leave the database as it was but for its past. */
  Outcome measure() throws InterruptedException {
    long notice = 8 + schedules / 1_000 + 2 * secondsToSettle();
    Instant first = wholeMultiple(Instant.now().plusSeconds(notice), WARM_UP);
    try (var pool = database.pool();
        Contender contender = entrant.open(pool)) {
      contender.addEverySecond(schedules, first);
    }
    database.settle();
    Outcome outcome = measureFrom(first);
    try (var pool = database.pool();
        Contender contender = entrant.open(pool)) {
      contender.removeEverySecond(schedules, first);
    }
    return outcome;
  }

  private Outcome measureFrom(Instant first) throws InterruptedException {
    try (var pool = database.pool();
        Contender contender = entrant.open(pool)) {
      Duration period = contender.period();
      var lateness =
          new Lateness(schedules, first, WARM_UP, seconds, period, InstantSource.system());
      if (Instant.now().isAfter(first)) {
        throw new IllegalStateException("the preparations took so long that slots were missed");
      }
      contender.start(lateness);
      Instant end = first.plus(WARM_UP).plusSeconds(seconds).plus(period.multipliedBy(2));
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

  /** Return the next multiple of {@code step}, counted from the epoch, after {@code moment}. */
  static Instant wholeMultiple(Instant moment, Duration step) {
    long steps = moment.getEpochSecond() / step.toSeconds() + 1;
    return Instant.ofEpochSecond(steps * step.toSeconds());
  }
}
