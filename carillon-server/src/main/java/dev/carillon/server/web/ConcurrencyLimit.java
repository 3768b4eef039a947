package dev.carillon.server.web;

import java.util.concurrent.Semaphore;
import java.util.function.Supplier;

/**
 * Bounds how many requests use the database at once; the others wait in order. Connections stay
 * free for the scheduler, and no request times out waiting for one.
 */
public final class ConcurrencyLimit {
  /** No bound: for what does not use the database. */
  public static final ConcurrencyLimit UNLIMITED = new ConcurrencyLimit(Integer.MAX_VALUE);

  private final Semaphore free;

  /** Let {@code most} requests work at once. */
  public ConcurrencyLimit(int most) {
    free = new Semaphore(most, true);
  }

  /** Do {@code work} as soon as fewer than the bound are at work. */
  public <T> T take(Supplier<T> work) {
    free.acquireUninterruptibly();
    try {
      return work.get();
    } finally {
      free.release();
    }
  }
}
