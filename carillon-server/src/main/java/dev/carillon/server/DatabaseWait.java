package dev.carillon.server;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * Waits at the start for a database that is not up yet, such as one that starts beside us.
 *
 * @param most how long to wait
 * @param progress receives a line now and then that says what is waited for
 * @param stopped ends the waiting when it is open
 */
record DatabaseWait(Duration most, Consumer<String> progress, CountDownLatch stopped) {
  private static final Duration RETRY_INTERVAL = Duration.ofSeconds(1);
  private static final Duration REPORT_INTERVAL = Duration.ofSeconds(10);

  /**
   * Return what {@code open} opens; a failure that may pass is tried again.
   *
   * @throws StartException if it does not pass, or not in time
   */
  <T> T until(Supplier<T> open) {
    long begun = System.nanoTime();
    long reported = begun - REPORT_INTERVAL.toNanos();
    while (true) {
      try {
        return open.get();
      } catch (StartException e) {
        Duration waited = Duration.ofNanos(System.nanoTime() - begun);
        if (!e.isPassing() || most.isZero()) {
          throw e;
        }
        if (waited.compareTo(most) >= 0) {
          throw new StartException(
              "%s; waited %s s, see --database-wait".formatted(e.getMessage(), waited.toSeconds()),
              e);
        }
        if (System.nanoTime() - reported >= REPORT_INTERVAL.toNanos()) {
          reported = System.nanoTime();
          progress.accept(
              "%s; trying again for %s s"
                  .formatted(e.getMessage(), most.minus(waited).toSeconds()));
        }
        rest();
      }
    }
  }

  private void rest() {
    try {
      if (stopped.await(RETRY_INTERVAL.toMillis(), TimeUnit.MILLISECONDS)) {
        throw new StartException("stopped while waiting for the database");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new StartException("interrupted while waiting for the database", e);
    }
  }
}
