package dev.carillon.engine;

import java.lang.reflect.InvocationTargetException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Where target code runs: a virtual thread per run on Java 21 or later, a pool of threads before.
 */
public final class Workers {
  /* Threads cost memory before Java 21; work that waits for one is merely late. */
  private static final int MOST_THREADS = 64;

  private Workers() {}

  public static ExecutorService executor(int concurrency) {
    try {
      return (ExecutorService)
          Executors.class.getMethod("newVirtualThreadPerTaskExecutor").invoke(null);
    } catch (NoSuchMethodException beforeJava21) {
      var count = new AtomicInteger();
      return Executors.newFixedThreadPool(
          Math.min(concurrency, MOST_THREADS),
          task -> {
            var thread = new Thread(task, "carillon-run-" + count.incrementAndGet());
            thread.setDaemon(true);
            return thread;
          });
    } catch (IllegalAccessException | InvocationTargetException e) {
      throw new IllegalStateException("cannot create virtual threads", e);
    }
  }

  /** Return how many runs a node works on at a time unless told otherwise. */
  public static int usualConcurrency() {
    try {
      Executors.class.getMethod("newVirtualThreadPerTaskExecutor");
      return 1_000;
    } catch (NoSuchMethodException beforeJava21) {
      return MOST_THREADS;
    }
  }
}
