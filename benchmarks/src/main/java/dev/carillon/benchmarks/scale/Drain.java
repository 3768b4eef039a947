package dev.carillon.benchmarks.scale;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Measures how fast an entrant gets through runs that are all due before it starts. */
record Drain(Entrant entrant, Database database, int jobs) {
  private static final int MOST_WARM_UP_JOBS = 100_000;
  private static final int WARM_UPS = 3;
  private static final long PATIENCE_MINUTES = 15;

  /**
   * What was found.
   *
   * @param statements per job, taken in a warm-up, as counting them would slow the measurement
   * @param commits per job
   * @param walBytes per job
   * @param heapBytes in use at the end
   */
  record Outcome(
      double jobsPerSecond, double statements, double commits, double walBytes, long heapBytes) {}

  Outcome measure() throws InterruptedException {
    int warmUpJobs = Math.min(MOST_WARM_UP_JOBS, jobs);
    add(warmUpJobs);
    database.countStatements();
    drain(warmUpJobs);
    double statements = database.statements();
    for (int round = 2; round <= WARM_UPS; round++) {
      add(warmUpJobs);
      drain(warmUpJobs);
    }

    add(jobs);
    database.settle();
    double commits = database.commits();
    double walBytes = database.walBytes();
    Finish finish = drain(jobs);
    return new Outcome(
        jobs / finish.seconds(),
        statements / warmUpJobs,
        (database.commits() - commits) / jobs,
        (finish.walBytes() - walBytes) / jobs,
        finish.heapBytes());
  }

  private void add(int count) throws InterruptedException {
    try (var pool = database.pool();
        Contender contender = entrant.open(pool)) {
      contender.addDue(count);
    }
  }

  private record Finish(double seconds, double walBytes, long heapBytes) {}

  private Finish drain(int count) throws InterruptedException {
    Finish finish;
    try (var pool = database.pool();
        Contender contender = entrant.open(pool)) {
      double seconds = secondsToDrain(contender, count);
      finish = new Finish(seconds, database.walBytes(), Heap.used());
    }
    database.awaitSilence();
    return finish;
  }

  /** Take the time from the start until the last end of {@code count} runs is committed. */
  static double secondsToDrain(Contender contender, int count) throws InterruptedException {
    var left = new CountDownLatch(count);
    long start = System.nanoTime();
    contender.start((number, slot) -> left.countDown());
    if (!left.await(PATIENCE_MINUTES, TimeUnit.MINUTES)) {
      throw new IllegalStateException(
          "%s of %s runs had not started after %s minutes"
              .formatted(left.getCount(), count, PATIENCE_MINUTES));
    }
    while (!contender.drained()) {
      TimeUnit.MILLISECONDS.sleep(5);
    }
    return (System.nanoTime() - start) / 1e9;
  }
}
