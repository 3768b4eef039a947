package dev.carillon.console.browser;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;

/** Waits for a condition, not for a time. */
final class Waiting {
  private static final Duration PATIENCE =
      Duration.ofSeconds(Integer.getInteger("console.patience", 60));
  private static final long STEP_MILLIS = 20;

  private Waiting() {}

  /** Ask until there is an answer. */
  static <T> T until(String what, Supplier<Optional<T>> asked) {
    long end = System.nanoTime() + PATIENCE.toNanos();
    while (true) {
      Optional<T> answer = asked.get();
      if (answer.isPresent()) {
        return answer.get();
      }
      if (System.nanoTime() > end) {
        throw new AssertionError("it was not so within %s: %s".formatted(PATIENCE, what));
      }
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(STEP_MILLIS));
    }
  }
}
