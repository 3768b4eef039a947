package dev.carillon.benchmarks.measure;

import com.zaxxer.hikari.HikariDataSource;
import dev.carillon.bench.Contender;
import dev.carillon.benchmarks.contender.Entrant;
import java.lang.management.ManagementFactory;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/**
 * Measures how soon an entrant, in a process that has executed nothing yet, starts the handler of a
 * run that was due before.
 *
 * @param added how many such runs this process adds itself; 0 if another one did
 */
public record ColdStart(Entrant entrant, Database database, int added) {

  /**
   * What was found.
   *
   * @param millis since the call that starts the entrant
   * @param jvmMillis since the JVM was started
   */
  public record Outcome(double millis, double jvmMillis) {}

  Outcome measure() throws InterruptedException {
    try (var pool = pool();
        Contender contender = entrant.open(pool)) {
      if (added > 0) {
        contender.addDue(added, added -> {});
      }
      var found = new CompletableFuture<Outcome>();
      long start = System.nanoTime();
      contender.start((number, slot, attempt) -> found.complete(since(start)));
      Outcome outcome = found.orTimeout(5, TimeUnit.MINUTES).join();
      while (contender.unfinished() > 0) {
        TimeUnit.MILLISECONDS.sleep(5);
      }
      return outcome;
    }
  }

  /* A process that adds runs has connected by then; otherwise connecting is part of the start. */
  private HikariDataSource pool() throws InterruptedException {
    return added > 0 ? database.pool() : database.openPool();
  }

  private static Outcome since(long start) {
    long jvmStart = ManagementFactory.getRuntimeMXBean().getStartTime();
    return new Outcome(
        (System.nanoTime() - start) / 1e6, System.currentTimeMillis() - (double) jvmStart);
  }
}
