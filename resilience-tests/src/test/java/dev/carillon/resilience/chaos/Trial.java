package dev.carillon.resilience.chaos;

import dev.carillon.fixture.Await;
import dev.carillon.resilience.cluster.NodeProcess;
import java.time.Duration;
import java.time.Instant;
import java.util.Random;

/**
 * One fault under load, and what came of it.
 *
 * @param findings what the judge found
 * @param recovery how long after the fault every schedule had called again
 */
record Trial(Findings findings, Duration recovery) {
  private static final Duration STEADY = Duration.ofSeconds(3);

  /** Inflict {@code fault} while schedules fire, and judge when all is over. */
  static Trial run(
      Fault fault, Stage stage, String name, Duration hold, Duration slack, Random random)
      throws Exception {
    var load = new Workload(stage, name);
    load.begin();
    Scene.pause(STEADY.plusMillis(random.nextInt(1000)));
    int victim = random.nextInt(stage.cluster().nodes().size());
    Findings findings = Findings.NONE;
    long begin = System.nanoTime();
    try {
      fault.inflict(new Scene(stage.cluster(), stage.surroundings(), victim, hold));
    } catch (AssertionError e) {
      findings = findings.broken(String.valueOf(e.getMessage()));
    }
    Instant healed = Instant.now();
    Duration elapsed = Duration.ofNanos(System.nanoTime() - begin);

    Duration allowed = NodeProcess.LEASE.plus(slack);
    boolean timeWentBack = stage.surroundings().clockAhead().isNegative();
    boolean recovered =
        timeWentBack
            ? load.runsAtOnce(allowed) // the slots of the next moments have come already
            : Await.within(allowed, () -> load.allCalledSince(healed));
    Duration recovery = Duration.between(healed, Instant.now());
    if (!recovered) {
      findings = findings.broken("not every schedule calls again after " + allowed);
    }
    Scene.pause(Duration.ofSeconds(1));
    load.end();
    if (!load.drained(elapsed.plus(allowed).plusSeconds(20))) {
      findings = findings.broken("stuck: some runs do not end");
    }
    findings = findings.and(load.judge(fault.promisesNoOverlap()));
    Duration allowedLateness = fault.allowedLateness(elapsed, slack);
    if (findings.latest().compareTo(allowedLateness) > 0) {
      findings =
          findings.broken(
              "late: a run started %s after its slot, more than %s"
                  .formatted(findings.latest(), allowedLateness));
    }
    for (NodeProcess node : stage.cluster().nodes()) {
      if (!Await.within(
          allowed, () -> node.api().status("/readyz", Duration.ofSeconds(5)) == 200)) {
        findings = findings.broken(node.name() + " is not ready again");
      }
    }
    return new Trial(findings, recovery);
  }
}
