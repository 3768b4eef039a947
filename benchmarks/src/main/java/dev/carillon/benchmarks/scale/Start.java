package dev.carillon.benchmarks.scale;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Measures how long a node needs, in a process that has done nothing yet, until it is of use. */
record Start(Entrant entrant, Database database) {

  /**
   * What was found.
   *
   * @param millis from the call of start until the handler of a run that was due is called
   */
  record Outcome(double millis) {}

  Outcome measure() throws InterruptedException {
    var started = new CountDownLatch(1);
    try (var pool = database.pool();
        Contender contender = entrant.open(pool)) {
      contender.addDue(1);
      long start = System.nanoTime();
      contender.start((number, slot) -> started.countDown());
      if (!started.await(5, TimeUnit.MINUTES)) {
        throw new IllegalStateException("no run had started after five minutes");
      }
      return new Outcome((System.nanoTime() - start) / 1e6);
    }
  }
}
