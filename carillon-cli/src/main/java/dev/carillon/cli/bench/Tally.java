package dev.carillon.cli.bench;

import dev.carillon.event.Event;
import dev.carillon.model.RunState;
import dev.carillon.target.RunContext;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;

/** Keeps count of runs that each have to start once, and to end. */
final class Tally implements Node.Witness {
  private final AtomicIntegerArray starts;
  private final CountDownLatch left;
  private final AtomicLong firstStart = new AtomicLong();
  private final LongAdder doubled = new LongAdder();

  Tally(int runs) {
    this.starts = new AtomicIntegerArray(runs);
    this.left = new CountDownLatch(runs);
  }

  @Override
  public void ring(int number, RunContext context) {
    ring(number, context.attempt());
  }

  /* A later attempt is no double: at least once is what is promised when a node loses its lease. */
  void ring(int number, int attempt) {
    if (firstStart.get() == 0) {
      firstStart.compareAndSet(0, System.nanoTime());
    }
    if (starts.getAndIncrement(number) > 0 && attempt == 1) {
      doubled.increment();
    }
  }

  @Override
  public void on(Event event) {
    if (event instanceof Event.Finished finished && finished.state() == RunState.SUCCEEDED) {
      left.countDown();
    }
  }

  /** Wait a moment; say whether the end of every run is committed. */
  boolean complete() throws InterruptedException {
    return left.await(100, TimeUnit.MILLISECONDS);
  }

  int done() {
    return starts.length() - missing();
  }

  int missing() {
    return Math.toIntExact(left.getCount());
  }

  long doubled() {
    return doubled.sum();
  }

  /** Return when the first run started, by {@link System#nanoTime}. */
  long firstStart() {
    return firstStart.get();
  }
}
