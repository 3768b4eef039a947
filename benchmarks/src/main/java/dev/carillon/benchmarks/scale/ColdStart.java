package dev.carillon.benchmarks.scale;

import java.lang.management.ManagementFactory;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** Measures how soon an entrant starts the handler of a run that was due before. */
record ColdStart(Entrant entrant, Database database) {

  /**
   * What was found.
   *
   * @param millis since the entrant was told to start
   * @param jvmMillis since the JVM was started
   */
  record Outcome(double millis, double jvmMillis) {}

  Outcome measure() throws InterruptedException {
    try (var pool = database.openPool();
        Contender contender = entrant.open(pool)) {
      var found = new CompletableFuture<Outcome>();
      long start = System.nanoTime();
      contender.start((number, slot) -> found.complete(since(start)));
      Outcome outcome = found.orTimeout(1, TimeUnit.MINUTES).join();
      while (!contender.drained()) {
        TimeUnit.MILLISECONDS.sleep(5);
      }
      return outcome;
    }
  }

  private static Outcome since(long start) {
    long jvmStart = ManagementFactory.getRuntimeMXBean().getStartTime();
    return new Outcome(
        (System.nanoTime() - start) / 1e6, System.currentTimeMillis() - (double) jvmStart);
  }
}
