package dev.carillon.cli.bench;

import dev.carillon.bench.Drain;
import dev.carillon.bench.Drift;
import dev.carillon.bench.Figures;
import dev.carillon.bench.Progress;
import java.util.ArrayList;
import java.util.List;

/** Measures what schedules that sleep cost those that do not. */
record Growth(Scratch empty, Scratch crowded, Progress progress) {
  private static final String PART = "growth";
  private static final int ROUNDS = 3;

  /** What was found in one of the two databases. */
  record Half(List<Drain.Outcome> rounds, Drift.Outcome drift) {

    double perSecond() {
      return rounds.stream().mapToDouble(Drain.Outcome::perSecond).max().orElseThrow();
    }

    /** Return the time from the start of a node until its first handler starts; the best. */
    double startMillis() {
      return rounds.stream().mapToDouble(Drain.Outcome::firstMillis).min().orElseThrow();
    }
  }

  /**
   * What was found.
   *
   * @param idle how many schedules were idle
   * @param createSeconds how long storing them took
   * @param without the figures without them
   * @param beside the figures beside them
   */
  record Outcome(int idle, double createSeconds, Half without, Half beside) {

    /** Return the share of the speed without idle schedules that is left beside them. */
    double kept() {
      return beside.perSecond() / without.perSecond();
    }
  }

  Outcome measure(Effort effort) throws InterruptedException {
    double createSeconds = addIdle(effort.idle());
    var without = new Drain(empty, new Nodes(empty, progress), PART, progress);
    var beside = new Drain(crowded, new Nodes(crowded, progress), PART, progress);
    without.measure("warm-up", effort.warmUpRuns());
    beside.measure("warm-up beside idle", effort.warmUpRuns());
    var alone = new ArrayList<Drain.Outcome>();
    var crowd = new ArrayList<Drain.Outcome>();
    // In turns, so that a slow moment of the machine does not hit one of the two alone.
    for (int round = 1; round <= ROUNDS; round++) {
      alone.add(without.measure("round " + round, effort.runs()));
      crowd.add(beside.measure("round " + round + " beside idle", effort.runs()));
    }
    Drift.Outcome driftAlone = drift(empty, "drift: ", effort);
    Drift.Outcome driftCrowd = drift(crowded, "drift beside idle: ", effort);
    return new Outcome(
        effort.idle(), createSeconds, new Half(alone, driftAlone), new Half(crowd, driftCrowd));
  }

  private Drift.Outcome drift(Scratch database, String what, Effort effort)
      throws InterruptedException {
    return new Drift(database, new Nodes(database, progress), PART, what, progress)
        .measure(effort.drift(), false);
  }

  private double addIdle(int count) throws InterruptedException {
    progress.step(PART, "adding idle schedules");
    long begin = System.nanoTime();
    try (var opened = new Nodes(crowded, progress).open()) {
      opened
          .contender()
          .addIdle(
              count,
              added ->
                  progress.at(
                      (double) added / count,
                      Figures.perSecond(added / seconds(begin), "schedules")));
    }
    double took = seconds(begin);
    progress.end(Figures.perSecond(count / took, "schedules"));
    crowded.settle();
    return took;
  }

  private static double seconds(long begin) {
    return (System.nanoTime() - begin) / 1e9;
  }
}
