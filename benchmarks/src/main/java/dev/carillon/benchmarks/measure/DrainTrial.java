package dev.carillon.benchmarks.measure;

import dev.carillon.bench.Drain;
import dev.carillon.bench.Progress;
import dev.carillon.benchmarks.contender.Entrant;

/** Measures how fast an entrant gets through runs that are all due before it starts. */
public record DrainTrial(Entrant entrant, Database database, int jobs) {
  private static final int MAX_WARM_UP_JOBS = 100_000;
  private static final int WARM_UPS = 3;

  /**
   * What was found.
   *
   * @param statements per job, taken in a warm-up, as counting them would slow the measurement
   * @param commits per job
   * @param walBytes per job
   * @param heapBytes in use at the end
   */
  public record Outcome(
      double jobsPerSecond, double statements, double commits, double walBytes, long heapBytes) {}

  Outcome measure() throws InterruptedException {
    var drain = new Drain(database, database.contenders(entrant), "drain", Progress.hidden());
    int warmUpJobs = Math.min(MAX_WARM_UP_JOBS, jobs);
    drain.fill("warm-up", warmUpJobs);
    database.countStatements();
    checked(drain.drain("warm-up", warmUpJobs));
    double statements = database.statements();
    for (int round = 2; round <= WARM_UPS; round++) {
      drain.fill("warm-up", warmUpJobs);
      checked(drain.drain("warm-up", warmUpJobs));
    }
    Drain.Outcome outcome = checked(drain.measure("jobs", jobs));
    return new Outcome(
        outcome.perSecond(),
        statements / warmUpJobs,
        outcome.commits(),
        outcome.walBytes().orElseThrow(),
        outcome.heapBytes());
  }

  private static Drain.Outcome checked(Drain.Outcome outcome) {
    if (outcome.missing() > 0) {
      throw new IllegalStateException(
          "%s of %s runs did not end".formatted(outcome.missing(), outcome.runs()));
    }
    return outcome;
  }
}
