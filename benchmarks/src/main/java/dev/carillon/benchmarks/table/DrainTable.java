package dev.carillon.benchmarks.table;

import dev.carillon.bench.Figures;
import dev.carillon.benchmarks.Promise;
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
        progress.end(Figures.whole(outcome.jobsPerSecond()) + " runs/s");
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
                    "runs/s, best",
                    "spread",
                    "Carillon's, × this",
                    "statements / run",
                    "commits / run",
                    "WAL B / run",
                    "history kept")));
    results.forEach((entrant, result) -> lines.add(row(entrant, result)));
    lines.add("");
    promises().forEach(promise -> lines.add(promise.line()));
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
            TableFigures.times(ours().jobsPerSecond() / best.jobsPerSecond()),
            Figures.fine(best.statements()),
            Figures.fine(best.commits()),
            Figures.whole(best.walBytes()),
            entrant.keepsHistory() ? "yes" : "no"));
  }

  private List<Promise> promises() {
    var promises = new ArrayList<Promise>();
    if (results.size() > 1) {
      promises.add(
          lead(
              3,
              "db-scheduler at its best",
              Entrant.LOCK_AND_FETCH_20,
              Entrant.LOCK_AND_FETCH_10,
              Entrant.FETCH));
      promises.add(lead(10, "JobRunr", Entrant.JOBRUNR));
      promises.add(lead(1, "Quartz", Entrant.QUARTZ));
      promises.add(lead(0.5, "the raw limit", Entrant.RAW_LIFE));
    }
    promises.add(
        new Promise(
            "statements per run",
            "at most 0.05",
            Figures.fine(ours().statements()),
            ours().statements() <= 0.05));
    promises.add(
        new Promise(
            "bytes of WAL per run",
            "at most 1,500",
            Figures.whole(ours().walBytes()),
            ours().walBytes() <= 1_500));
    return promises;
  }

  /** Judge whether Carillon is {@code factor} times as fast as the fastest of {@code others}. */
  private Promise lead(double factor, String name, Entrant... others) {
    double ours = ours().jobsPerSecond();
    double theirs =
        Stream.of(others).mapToDouble(other -> best(other).jobsPerSecond()).max().orElseThrow();
    return new Promise(
        "drain rate, compared with " + name,
        "at least " + TableFigures.times(factor),
        TableFigures.times(ours / theirs),
        "%s runs/s, %s %s"
            .formatted(Figures.whole(ours), others[0].library(), Figures.whole(theirs)),
        ours >= factor * theirs);
  }

  private DrainTrial.Outcome ours() {
    return best(Entrant.CARILLON);
  }

  private DrainTrial.Outcome best(Entrant entrant) {
    return Markdown.known(results, entrant).best();
  }
}
