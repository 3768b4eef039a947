package dev.carillon.server.web;

import java.util.concurrent.Semaphore;
import java.util.function.Supplier;

/**
 * Lets so many requests at once use the database, and the others stand in line: connections stay
 * free for the scheduler, and nobody burns time on waiting for one.
 */
public final class ConcurrencyLimit {
  /** Everybody works at once: for what does not use the database. */
  public static final ConcurrencyLimit UNLIMITED = new ConcurrencyLimit(Integer.MAX_VALUE);

  private final Semaphore free;

  /** Let {@code most} requests work at once. */
  public ConcurrencyLimit(int most) {
    free = new Semaphore(most, true);
  }

  /** Do {@code work} when it is its turn. */
  public <T> T take(Supplier<T> work) {
    free.acquireUninterruptibly();
    try {
      return work.get();
    } finally {
      free.release();
    }
  }
}
