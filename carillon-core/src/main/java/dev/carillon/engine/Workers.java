package dev.carillon.engine;

import java.lang.reflect.InvocationTargetException;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Where target code runs, a limited number of runs at a time: on a virtual thread each from Java 21
 * on, on a pool of threads before.
 */
public final class Workers implements Executor, AutoCloseable {
  /* Threads cost memory before Java 21; work that waits for one is merely late. */
  private static final int MOST_THREADS = 64;

  private final ExecutorService threads;
  private final int most;
  private final Queue<Runnable> waiting = new ConcurrentLinkedQueue<>();
  private final AtomicInteger busy = new AtomicInteger();

  private Workers(ExecutorService threads, int most) {
    this.threads = threads;
    this.most = most;
  }

  /** Work on up to {@code concurrency} runs at a time. */
  public static Workers of(int concurrency) {
    return virtualThreads()
        ? new Workers(virtual(), concurrency)
        : new Workers(pool(), Math.min(concurrency, MOST_THREADS));
  }

  /** Return how many runs a node works on at a time unless told otherwise. */
  public static int usualConcurrency() {
    return virtualThreads() ? 1_000 : MOST_THREADS;
  }

  private static boolean virtualThreads() {
    return Runtime.version().feature() >= 21;
  }

  private static ExecutorService virtual() {
    try {
      return (ExecutorService)
          Executors.class.getMethod("newVirtualThreadPerTaskExecutor").invoke(null);
    } catch (NoSuchMethodException | IllegalAccessException | InvocationTargetException e) {
      throw new IllegalStateException("cannot create virtual threads", e);
    }
  }

  private static ExecutorService pool() {
    var count = new AtomicInteger();
    return Executors.newCachedThreadPool(
        task -> {
          var thread = new Thread(task, "carillon-run-" + count.incrementAndGet());
          thread.setDaemon(true);
          return thread;
        });
  }

  @Override
  public void execute(Runnable task) {
    if (hire()) {
      try {
        threads.execute(() -> work(task));
      } catch (RejectedExecutionException closed) {
        busy.decrementAndGet();
        throw closed;
      }
    } else {
      waiting.add(task);
      serve(); // whoever was busy a moment ago may not have seen it
    }
  }

  private boolean hire() {
    int now = busy.get();
    while (now < most) {
      if (busy.compareAndSet(now, now + 1)) {
        return true;
      }
      now = busy.get();
    }
    return false;
  }

  private void work(Runnable task) {
    try {
      task.run();
    } finally {
      busy.decrementAndGet();
      serve();
    }
  }

  /* What waits when the threads are gone was never started, and is given back by its node. */
  private void serve() {
    while (!waiting.isEmpty() && hire()) {
      Runnable next = waiting.poll();
      if (next == null) {
        busy.decrementAndGet();
      } else {
        try {
          threads.execute(() -> work(next));
        } catch (RejectedExecutionException closed) {
          busy.decrementAndGet();
          return;
        }
      }
    }
  }

  /** Interrupt what runs, and start nothing more. */
  @Override
  public void close() {
    threads.shutdownNow();
  }
}
