package dev.carillon.benchmarks.table;

import dev.carillon.bench.Figures;
import dev.carillon.benchmarks.contender.Entrant;
import dev.carillon.benchmarks.contender.Suite;
import dev.carillon.benchmarks.measure.Arena;
import dev.carillon.benchmarks.measure.DrainTrial;
import dev.carillon.benchmarks.measure.Trial;
import java.io.IOException;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * How fast every entrant drains runs that are due, beside its peers and the raw limit.
 *
 * @param jobs how many runs there were for all but the slow
 */
record DrainTable(Map<Entrant, Repeated> results, int jobs) {
  private static final String HEAP = "512m";

  static DrainTable measure(Arena arena, SuiteEffort effort)
      throws IOException, InterruptedException {
    var entrants = effort.entrants(Suite.DRAIN);
    var progress = new SuiteProgress("drain", effort.repetitions() * entrants.size());
    Map<Entrant, List<DrainTrial.Outcome>> outcomes = new EnumMap<>(Entrant.class);
    // In turns, so that a slow minute of the machine does not hit one entrant alone.
    for (int repetition = 0; repetition < effort.repetitions(); repetition++) {
      for (Entrant entrant : entrants) {
        progress.begin(entrant.title());
        var trial = Trial.drain(entrant, share(entrant, effort.jobs()));
        var outcome = arena.measure(trial, 0, HEAP, DrainTrial.Outcome.class);
        progress.end(Figures.whole(outcome.jobsPerSecond()) + " jobs/s");
        outcomes.computeIfAbsent(entrant, key -> new ArrayList<>()).add(outcome);
      }
    }
    Map<Entrant, Repeated> results = new EnumMap<>(Entrant.class);
    outcomes.forEach((entrant, list) -> results.put(entrant, new Repeated(list)));
    return new DrainTable(results, effort.jobs());
  }

  /** Return how many of {@code jobs} are enough: the slow would take minutes for all of them. */
  private static int share(Entrant entrant, int jobs) {
    return switch (entrant) {
      case FETCH, JOBRUNR -> jobs / 5;
      case QUARTZ -> jobs / 40;
      default -> jobs;
    };
  }

  List<String> lines() {
    var lines =
        new ArrayList<>(
            Markdown.head(
                1,
                List.of(
                    "",
                    "due runs",
                    "jobs/s, best",
                    "spread",
                    "Carillon's, × this",
                    "statements / job",
                    "commits / job",
                    "WAL B / job",
                    "history kept")));
    results.forEach((entrant, result) -> lines.add(row(entrant, result)));
    lines.add("");
    lines.addAll(verdicts());
    return lines;
  }

  private String row(Entrant entrant, Repeated result) {
    DrainTrial.Outcome best = result.best();
    return Markdown.row(
        List.of(
            entrant.title(),
            Figures.whole(share(entrant, jobs)),
            Figures.whole(best.jobsPerSecond()),
            result.spread(),
            Figures.times(ours().jobsPerSecond() / best.jobsPerSecond()),
            Figures.fine(best.statements()),
            Figures.fine(best.commits()),
            Figures.whole(best.walBytes()),
            entrant.keepsHistory() ? "yes" : "no"));
  }

  private List<String> verdicts() {
    var verdicts = new ArrayList<String>();
    if (results.size() > 1) {
      verdicts.add(
          lead(
              3,
              "at least 3× db-scheduler at its best",
              Entrant.LOCK_AND_FETCH_20,
              Entrant.LOCK_AND_FETCH_10,
              Entrant.FETCH));
      verdicts.add(lead(10, "at least 10× JobRunr", Entrant.JOBRUNR));
      verdicts.add(lead(1, "faster than Quartz", Entrant.QUARTZ));
      verdicts.add(lead(0.5, "at least half the raw limit", Entrant.RAW_LIFE));
    }
    verdicts.add(
        Markdown.verdict(
            "at most 0.05 statements per run",
            ours().statements() <= 0.05,
            Figures.fine(ours().statements())));
    verdicts.add(
        Markdown.verdict(
            "at most 1,500 bytes of WAL per run",
            ours().walBytes() <= 1_500,
            Figures.whole(ours().walBytes())));
    return verdicts;
  }

  /** Judge whether Carillon is {@code factor} times as fast as the fastest of {@code others}. */
  private String lead(double factor, String words, Entrant... others) {
    double ours = ours().jobsPerSecond();
    double theirs =
        Stream.of(others).mapToDouble(other -> best(other).jobsPerSecond()).max().orElseThrow();
    return Markdown.verdict(
        words,
        ours >= factor * theirs,
        Markdown.beside(
            Figures.whole(ours) + " jobs/s",
            others[0].library(),
            Figures.whole(theirs),
            ours / theirs));
  }

  private DrainTrial.Outcome ours() {
    return best(Entrant.CARILLON);
  }

  private DrainTrial.Outcome best(Entrant entrant) {
    return Markdown.known(results, entrant).best();
  }
}
