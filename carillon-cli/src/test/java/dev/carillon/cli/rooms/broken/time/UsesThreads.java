package dev.carillon.cli.rooms.broken.time;

import java.util.concurrent.Semaphore;

/** A decision that waits for another thread. */
final class UsesThreads {
  private UsesThreads() {}

  static boolean decide(Semaphore permits) {
    return permits.tryAcquire();
  }
}
