package dev.carillon.engine;

import java.lang.reflect.InvocationTargetException;
import java.time.Duration;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedTransferQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Where target code runs: a virtual thread per run on Java 21 or later, a pool of threads before.
 */
public final class RunExecutor {
  private static final int DEFAULT_THREADS = 64;
  private static final Duration IDLE = Duration.ofMinutes(1);

  private RunExecutor() {}

  public static ExecutorService executor(int concurrency) {
    try {
      return (ExecutorService)
          Executors.class.getMethod("newVirtualThreadPerTaskExecutor").invoke(null);
    } catch (NoSuchMethodException beforeJava21) {
      return pool(concurrency);
    } catch (IllegalAccessException | InvocationTargetException e) {
      throw new IllegalStateException("cannot create virtual threads", e);
    }
  }

  /**
   * Make a pool with a thread for each of {@code concurrency} tasks, of which those beyond the
   * usual number are made when all others are busy, and go when they are not needed.
   */
  static ExecutorService pool(int concurrency) {
    var count = new AtomicInteger();
    var waiting = new Handover();
    return new ThreadPoolExecutor(
        Math.min(concurrency, DEFAULT_THREADS),
        concurrency,
        IDLE.toMillis(),
        TimeUnit.MILLISECONDS,
        waiting,
        task -> {
          var thread = new Thread(task, "carillon-run-" + count.incrementAndGet());
          thread.setDaemon(true);
          return thread;
        },
        waiting::keep);
  }

  /* A pool makes another thread when its queue is full: so this one is, unless a thread waits. */
  private static final class Handover extends LinkedTransferQueue<Runnable> {
    private static final long serialVersionUID = 1;

    @Override
    public boolean offer(Runnable task) {
      return tryTransfer(task);
    }

    /* All threads are there, and one of them is about to come back. */
    void keep(Runnable task, ThreadPoolExecutor pool) {
      if (pool.isShutdown()) {
        throw new RejectedExecutionException("the node is stopping");
      }
      put(task);
    }
  }

  /** Return how many runs a node works on at a time unless configured. */
  public static int usualConcurrency() {
    try {
      Executors.class.getMethod("newVirtualThreadPerTaskExecutor");
      return 1_000;
    } catch (NoSuchMethodException beforeJava21) {
      return DEFAULT_THREADS;
    }
  }
}
