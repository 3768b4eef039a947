package dev.carillon.targets;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** Waits for what real sockets and threads do. */
final class Waiting {
  private Waiting() {}

  static void until(BooleanSupplier condition) {
    long end = System.nanoTime() + Duration.ofSeconds(30).toNanos();
    while (!condition.getAsBoolean()) {
      if (System.nanoTime() > end) {
        throw new AssertionError("still not so after 30 seconds");
      }
      LockSupport.parkNanos(1_000_000);
    }
  }
}
