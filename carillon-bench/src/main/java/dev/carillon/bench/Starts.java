package dev.carillon.bench;

import java.time.Instant;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;

/** Counts the starts of runs that each have to start once. */
final class Starts implements StartListener {
  private final AtomicIntegerArray starts;
  private final CountDownLatch left;
  private final AtomicLong firstStart = new AtomicLong();
  private final LongAdder doubled = new LongAdder();

  Starts(int runs) {
    this.starts = new AtomicIntegerArray(runs);
    this.left = new CountDownLatch(runs);
  }

  /* A later attempt is no double: at least once is what is promised when a node loses its lease. */
  @Override
  public void started(int number, Instant slot, int attempt) {
    if (firstStart.get() == 0) {
      firstStart.compareAndSet(0, System.nanoTime());
    }
    if (starts.getAndIncrement(number) == 0) {
      left.countDown();
    } else if (attempt == 1) {
      doubled.increment();
    }
  }

  /** Wait a moment; return whether every run has started. */
  boolean complete() throws InterruptedException {
    return left.await(100, TimeUnit.MILLISECONDS);
  }

  int started() {
    return starts.length() - Math.toIntExact(left.getCount());
  }

  long doubled() {
    return doubled.sum();
  }

  /** Return when the first run started, by {@link System#nanoTime}. */
  long firstStart() {
    return firstStart.get();
  }
}
