package dev.carillon.engine;

import dev.carillon.event.Event;
import dev.carillon.store.StoreException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * Runs a step again and again on its own thread, resting between turns for as long as the step
 * asks.
 */
final class Loop implements Runnable, AutoCloseable {
  private static final Duration REST_AFTER_ERROR = Duration.ofMillis(500);

  private final Step step;
  private final InstantSource time;
  private final Consumer<Event> events;
  private final Thread thread;
  private final Semaphore wakeups = new Semaphore(0);
  private volatile boolean closing;

  Loop(String name, Step step, InstantSource time, Consumer<Event> events) {
    this.step = step;
    this.time = time;
    this.events = events;
    this.thread = new Thread(this, "carillon-" + name);
    this.thread.setDaemon(true);
  }

  /** Begin; once only, and not after {@link #close}. */
  void start() {
    if (closing || thread.getState() != Thread.State.NEW) {
      throw new IllegalStateException(
          thread.getName() + " does not start twice, nor after it was closed; make another loop");
    }
    thread.start();
  }

  /** Take the next turn at once. */
  void wake() {
    if (wakeups.availablePermits() == 0) {
      wakeups.release();
    }
  }

  @Override
  public void run() {
    while (!closing) {
      rest(turn());
    }
  }

  private Duration turn() {
    try {
      long begun = System.nanoTime();
      Duration rest = step.run(time.instant());
      Duration took = Duration.ofNanos(System.nanoTime() - begun);
      events.accept(new Event.Turned(now(), thread.getName(), took));
      return rest;
    } catch (Throwable e) { // a loop that dies is the one failure nobody would notice
      tell(e);
      return REST_AFTER_ERROR;
    }
  }

  private void tell(Throwable e) {
    String problem = e instanceof StoreException ? String.valueOf(e.getMessage()) : e.toString();
    events.accept(new Event.TurnFailed(now(), thread.getName(), problem));
  }

  private Instant now() {
    try {
      return time.instant();
    } catch (RuntimeException e) {
      return Instant.EPOCH;
    }
  }

  /** Rest, unless woken; a wake-up during the turn is kept, so no news is missed. */
  private void rest(Duration duration) {
    try {
      if (wakeups.tryAcquire(Math.max(0, duration.toNanos()), TimeUnit.NANOSECONDS)) {
        wakeups.drainPermits();
      }
    } catch (InterruptedException e) {
      closing = true;
    }
  }

  /** Let the current turn be the last, without waiting for its end. */
  void end() {
    closing = true;
    wake();
  }

  /** Finish the current turn, then stop. Safe to call twice, before start, or in a turn. */
  @Override
  public void close() {
    end();
    if (Thread.currentThread() == thread) {
      return;
    }
    try {
      thread.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
