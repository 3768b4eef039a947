package dev.carillon.benchmarks.measure;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;

/** Several nodes, each in a process of its own, on one database. */
public record Cluster(Database database, int nodes) {

  /** Prepare {@code database} for {@code nodes}. */
  public static Cluster on(Database database, int nodes) {
    Barrier.create(database.sql(), nodes);
    return new Cluster(database, nodes);
  }

  /** Let every node do {@code trial} at the same time, and return the outcome of each. */
  public <T> List<T> run(Trial trial, String heap, Class<T> outcome)
      throws IOException, InterruptedException {
    var threads = Executors.newFixedThreadPool(nodes);
    try {
      var tasks = new ArrayList<Callable<T>>();
      for (int i = 0; i < nodes; i++) {
        tasks.add(() -> TrialProcess.run(trial, database, heap, outcome));
      }
      var outcomes = new ArrayList<T>();
      for (var future : threads.invokeAll(tasks)) {
        outcomes.add(future.get());
      }
      return outcomes;
    } catch (ExecutionException e) {
      throw new IllegalStateException("a node failed", e.getCause());
    } finally {
      threads.shutdownNow();
    }
  }

  /** Return how many finished runs took more than one attempt. */
  public long repeatedAttempts() {
    return (long) database.sql().number("select count(*) from carillon.history where attempt > 1");
  }
}
