package dev.carillon.engine;

import dev.carillon.event.EngineLoop;
import dev.carillon.event.Event;
import dev.carillon.store.jdbc.Backoff;
import dev.carillon.store.jdbc.StoreException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Runs a step again and again on its own thread, resting between turns for as long as the step
 * asks, until it is closed: neither what a turn throws nor an interrupt ends it.
 */
final class Loop implements Runnable, AutoCloseable {
  private static final Duration MAX_BACKOFF = Duration.ofSeconds(1);
  private static final long NANOS_WITHOUT_MEMORY = Duration.ofMillis(500).toNanos();

  private final EngineLoop name;
  private final Step step;
  private final InstantSource time;
  private final Consumer<Event> events;
  private final ThreadFactory threads;
  private final Semaphore wakeups = new Semaphore(0);
  private volatile Backoff backoff;
  private volatile boolean closing;

  /* Turns that failed in a row since it was last woken; used by its thread only. */
  private int failures;

  /* When the current turn began, or the next is to begin. */
  private volatile long turnsAt = System.nanoTime();

  /* What ended a turn when there was no memory to report it; used by its thread only. */
  private @Nullable Throwable unreported;

  /* Guarded by this. */
  private @Nullable Thread thread;

  /** The thread of a loop: only user code that is called on it interrupts it. */
  private static final class LoopThread extends Thread {
    LoopThread(Runnable loop) {
      super(loop);
      setDaemon(true);
    }
  }

  Loop(EngineLoop name, Step step, InstantSource time, Consumer<Event> events) {
    this(name, step, time, events, LoopThread::new);
  }

  /** Run on threads of {@code threads}, one at a time. */
  Loop(
      EngineLoop name,
      Step step,
      InstantSource time,
      Consumer<Event> events,
      ThreadFactory threads) {
    this.name = name;
    this.step = step;
    this.time = time;
    this.events = events;
    this.threads = threads;
    this.backoff = new Backoff(MAX_BACKOFF, seed(name));
  }

  /**
   * Wait after failures as no other loop of no other node does, and never longer than {@code most},
   * nor than a second.
   */
  Loop backingOff(Duration most, long seed) {
    backoff = new Backoff(Step.shorter(most, MAX_BACKOFF), seed + seed(name));
    return this;
  }

  /* So far apart that no loop waits as another does after some more failures. */
  private static long seed(EngineLoop name) {
    return (long) name.threadName().hashCode() << Integer.SIZE;
  }

  /** Forget an interrupt that user code left behind, if this is the thread of a loop. */
  static void forgetInterrupt() {
    if (Thread.currentThread() instanceof LoopThread) {
      Thread.interrupted();
    }
  }

  /** Begin; once only, and not after {@link #close}. */
  synchronized void start() {
    if (closing || thread != null) {
      throw new IllegalStateException(
          name.threadName() + " does not start twice, nor after it was closed; make another loop");
    }
    begin();
  }

  private synchronized void begin() {
    Thread fresh = threads.newThread(this);
    fresh.setName(name.threadName());
    turnsAt = System.nanoTime();
    fresh.start();
    thread = fresh;
  }

  /** Go on on another thread if the loop lost its own; return whether it had. */
  synchronized boolean revive() {
    if (!isDead()) {
      return false;
    }
    begin();
    events.accept(
        new Event.TurnFailed(
            now(), name, "its thread had ended; it has another now", Optional.empty()));
    return true;
  }

  /** Tell whether its thread ended, though it was not closed. */
  synchronized boolean isDead() {
    return !closing && thread != null && !thread.isAlive();
  }

  /** Return for how long it has been in its turn, or late for the next. */
  Duration overdue() {
    long late = closing ? 0 : System.nanoTime() - turnsAt;
    return late > 0 ? Duration.ofNanos(late) : Duration.ZERO;
  }

  synchronized StackTraceElement[] stackTrace() {
    return thread == null ? new StackTraceElement[0] : thread.getStackTrace();
  }

  /** Take the next turn at once. */
  void wake() {
    if (wakeups.availablePermits() == 0) {
      wakeups.release();
    }
  }

  @Override
  public void run() {
    pause(0); // once while there is memory: what is first used without any is never usable
    while (!closing) {
      try {
        rest(turn());
      } catch (Throwable e) { // no memory even to report what happened: that is done later
        unreported = e;
        pause(NANOS_WITHOUT_MEMORY);
      }
    }
  }

  private static void pause(long nanos) {
    try {
      LockSupport.parkNanos(nanos);
    } catch (Throwable e) { // there is no memory to park; what that is for is reported already
      Thread.onSpinWait();
    }
  }

  private Duration turn() {
    forgetInterrupt();
    try {
      long begun = System.nanoTime();
      turnsAt = begun;
      Duration rest = step.run(time.instant());
      Duration took = Duration.ofNanos(System.nanoTime() - begun);
      if (unreported != null) {
        report(unreported);
        unreported = null;
      }
      failures = 0;
      events.accept(new Event.Turned(now(), name, took));
      return rest;
    } catch (Throwable e) { // a loop that ends is a failure that no other part would notice
      failures++;
      report(e);
      return backoff.after(failures);
    }
  }

  private void report(Throwable e) {
    String problem =
        e instanceof StoreException ? String.valueOf(e.getMessage()) : ThrowableText.line(e);
    events.accept(new Event.TurnFailed(now(), name, problem, Optional.of(e)));
  }

  private Instant now() {
    try {
      return time.instant();
    } catch (RuntimeException e) { // the turn fails for the same reason, which is reported
      return Instant.EPOCH;
    }
  }

  /** Rest, unless woken; a wake-up during the turn is kept, so none is lost. */
  private void rest(Duration duration) {
    long nanos = Math.max(0, duration.toNanos());
    turnsAt = System.nanoTime() + nanos;
    try {
      if (wakeups.tryAcquire(nanos, TimeUnit.NANOSECONDS)) {
        wakeups.drainPermits();
        failures = 0;
      }
    } catch (InterruptedException e) { // left by user code; the rest is cut short
      forgetInterrupt();
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
    Thread last = thread();
    if (last == null || Thread.currentThread() == last) {
      return;
    }
    try {
      last.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private synchronized @Nullable Thread thread() {
    return thread;
  }
}
