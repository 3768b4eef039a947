package dev.carillon.benchmarks.scale;

import java.io.IOException;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/** How fast every entrant drains runs that are due, beside db-scheduler at its best. */
record DrainTable(Map<Entrant, Repeated> results, int jobs) {
  private static final String HEAP = "512m";

  static DrainTable measure(Arena arena, Effort effort) throws IOException, InterruptedException {
    var entrants = Entrant.in(Suite.DRAIN);
    var progress = new Progress("drain", effort.repetitions() * entrants.size());
    Map<Entrant, List<Drain.Outcome>> outcomes = new EnumMap<>(Entrant.class);
    // In turns, so that a slow minute of the machine does not hit one entrant alone.
    for (int repetition = 0; repetition < effort.repetitions(); repetition++) {
      for (Entrant entrant : entrants) {
        progress.begin(entrant.title());
        var outcome =
            arena.measure(Trial.drain(entrant, effort.jobs()), 0, HEAP, Drain.Outcome.class);
        progress.end(Figures.whole(outcome.jobsPerSecond()) + " jobs/s");
        outcomes.computeIfAbsent(entrant, key -> new ArrayList<>()).add(outcome);
      }
    }
    Map<Entrant, Repeated> results = new EnumMap<>(Entrant.class);
    outcomes.forEach((entrant, list) -> results.put(entrant, new Repeated(list)));
    return new DrainTable(results, effort.jobs());
  }

  List<String> lines() {
    var lines =
        new ArrayList<>(
            Figures.head(
                1,
                List.of(
                    Figures.whole(jobs) + " due runs",
                    "jobs/s, best",
                    "spread",
                    "× best peer",
                    "statements / job",
                    "commits / job",
                    "WAL B / job")));
    results.forEach((entrant, result) -> lines.add(row(entrant, result)));
    results.forEach(
        (entrant, result) -> {
          if (entrant.isOurs()) {
            lines.add("");
            lines.addAll(verdicts(result.best()));
          }
        });
    return lines;
  }

  private String row(Entrant entrant, Repeated result) {
    Drain.Outcome best = result.best();
    return Figures.row(
        List.of(
            entrant.title(),
            Figures.whole(best.jobsPerSecond()),
            result.spread(),
            Figures.times(best.jobsPerSecond() / bestPeer()),
            Figures.fine(best.statements()),
            Figures.fine(best.commits()),
            Figures.whole(best.walBytes())));
  }

  private List<String> verdicts(Drain.Outcome ours) {
    double lead = ours.jobsPerSecond() / bestPeer();
    return List.of(
        Figures.verdict("at least 3× db-scheduler at its best", lead >= 3, Figures.times(lead)),
        Figures.verdict(
            "at most 0.05 statements per run",
            ours.statements() <= 0.05,
            Figures.fine(ours.statements())),
        Figures.verdict(
            "at most 1,500 bytes of WAL per run",
            ours.walBytes() <= 1_500,
            Figures.whole(ours.walBytes())));
  }

  private double bestPeer() {
    return results.entrySet().stream()
        .filter(result -> !result.getKey().isOurs())
        .mapToDouble(result -> result.getValue().best().jobsPerSecond())
        .max()
        .orElse(Double.NaN);
  }
}
