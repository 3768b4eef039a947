package dev.carillon.benchmarks.table;

import dev.carillon.bench.Drift;
import dev.carillon.bench.Figures;
import dev.carillon.benchmarks.contender.Entrant;
import dev.carillon.benchmarks.measure.Arena;
import dev.carillon.benchmarks.measure.ConsoleQueries;
import dev.carillon.benchmarks.measure.DrainTrial;
import dev.carillon.benchmarks.measure.PartitionDrop;
import dev.carillon.benchmarks.measure.Trial;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** What a long history costs: those who fire, those who ask, and those who drop it. */
record HistoryTable(
    int runs,
    Repeated without,
    Repeated with,
    RepeatedDrift driftWithout,
    RepeatedDrift driftWith,
    ConsoleQueries.Outcome console,
    PartitionDrop.Outcome drop) {
  private static final String HEAP = "512m";
  private static final String PLACE = "carillon_with_history";
  private static final int SCHEDULES = 1_000;
  private static final int FULL_RUNS = 20_000_000;
  private static final int QUICK_RUNS = 1_000_000;
  private static final int CALLS = 200;

  static HistoryTable measure(Arena arena, SuiteEffort effort)
      throws IOException, InterruptedException {
    int runs = effort.choose(QUICK_RUNS, FULL_RUNS);
    Entrant ours = Entrant.CARILLON;
    var progress = new SuiteProgress("history", 3 + 4 * effort.repetitions());
    progress.begin("writing " + Figures.whole(runs) + " finished runs");
    arena.measureOn(PLACE, Trial.fill(ours, runs), HEAP, Object.class);
    progress.end("done");
    var without = new ArrayList<DrainTrial.Outcome>();
    var with = new ArrayList<DrainTrial.Outcome>();
    var drain = Trial.drain(ours, effort.jobs());
    // In turns, so that a slow minute of the machine does not hit one of them alone.
    for (int repetition = 0; repetition < effort.repetitions(); repetition++) {
      progress.begin("drain without history");
      without.add(arena.measure(drain, 0, HEAP, DrainTrial.Outcome.class));
      progress.end(Figures.whole(without.get(repetition).jobsPerSecond()) + " jobs/s");
      progress.begin("drain with history");
      with.add(arena.measureOn(PLACE, drain, HEAP, DrainTrial.Outcome.class));
      progress.end(Figures.whole(with.get(repetition).jobsPerSecond()) + " jobs/s");
    }
    progress.begin("questions of a console");
    var console =
        arena.measureOn(PLACE, Trial.ask(ours, CALLS), HEAP, ConsoleQueries.Outcome.class);
    progress.end("done");
    var drift = Trial.drift(ours, SCHEDULES, effort.seconds() / 3);
    var driftWithout = new ArrayList<Drift.Outcome>();
    var driftWith = new ArrayList<Drift.Outcome>();
    for (int repetition = 0; repetition < effort.repetitions(); repetition++) {
      progress.begin("drift without history");
      driftWithout.add(arena.measure(drift, 0, HEAP, Drift.Outcome.class));
      progress.end(DriftTable.summary(driftWithout.get(repetition)));
      progress.begin("drift with history");
      driftWith.add(arena.measureOn(PLACE, drift, HEAP, Drift.Outcome.class));
      progress.end(DriftTable.summary(driftWith.get(repetition)));
    }
    progress.begin("drift while the oldest week is dropped");
    var drop =
        arena.measureOn(
            PLACE,
            Trial.drop(ours, SCHEDULES, effort.seconds()),
            HEAP,
            PartitionDrop.Outcome.class);
    progress.end(Figures.brief(drop.meanwhile().max()) + " ms late at most");
    return new HistoryTable(
        runs,
        new Repeated(without),
        new Repeated(with),
        new RepeatedDrift(driftWithout),
        new RepeatedDrift(driftWith),
        console,
        drop);
  }

  List<String> lines() {
    var lines = new ArrayList<String>();
    lines.addAll(firing());
    lines.add("");
    lines.addAll(asking());
    lines.add("");
    lines.addAll(dropping());
    lines.add("");
    lines.addAll(verdicts());
    return lines;
  }

  private List<String> firing() {
    var lines =
        new ArrayList<>(
            Markdown.head(
                1,
                List.of(
                    "finished runs",
                    "drain, jobs/s",
                    "spread",
                    "× without",
                    "WAL B / job",
                    "drift, seen",
                    "p50 ms",
                    "p99 ms",
                    "spread")));
    lines.add(firing(0, without, driftWithout));
    lines.add(firing(runs, with, driftWith));
    return lines;
  }

  private String firing(int finished, Repeated drain, RepeatedDrift drift) {
    return Markdown.row(
        List.of(
            Figures.whole(finished),
            Figures.whole(drain.best().jobsPerSecond()),
            drain.spread(),
            Figures.times(drain.best().jobsPerSecond() / without.best().jobsPerSecond()),
            Figures.whole(drain.best().walBytes()),
            drift.seen(),
            Figures.brief(drift.median(Drift.Outcome::p50)),
            Figures.brief(drift.p99()),
            drift.spread()));
  }

  private List<String> asking() {
    var lines =
        new ArrayList<>(
            Markdown.head(
                1, List.of(CALLS + " calls each, warm cache", "p50 ms", "p99 ms", "max ms")));
    console
        .timings()
        .forEach(
            timing ->
                lines.add(
                    Markdown.row(
                        List.of(
                            timing.question(),
                            Figures.brief(timing.p50Millis()),
                            Figures.brief(timing.p99Millis()),
                            Figures.brief(timing.maxMillis())))));
    return lines;
  }

  private List<String> dropping() {
    var lines =
        new ArrayList<>(
            Markdown.head(
                1,
                List.of(
                    Figures.whole(SCHEDULES) + " schedules every second",
                    "seen",
                    "p99 ms",
                    "max ms")));
    lines.add(dropping("before", drop.before()));
    lines.add(
        dropping(
            "while %s MiB are dropped, in %s ms"
                .formatted(
                    Figures.mebibytes((long) drop.droppedBytes()),
                    Figures.brief(drop.dropMillis())),
            drop.meanwhile()));
    return lines;
  }

  private static String dropping(String when, Drift.Outcome drift) {
    return Markdown.row(
        List.of(
            when,
            Figures.percent(drift.fired(), drift.expected()),
            Figures.brief(drift.p99()),
            Figures.brief(drift.max())));
  }

  private List<String> verdicts() {
    double left = with.best().jobsPerSecond() / without.best().jobsPerSecond();
    double late = driftWith.p99() - driftWithout.p99();
    double slowest =
        console.timings().stream()
            .mapToDouble(ConsoleQueries.Timing::p99Millis)
            .max()
            .orElse(Double.NaN);
    return List.of(
        Markdown.verdict(
            Figures.whole(runs) + " finished runs slow a drain by at most 10 %",
            left >= 0.9,
            Figures.times(left)),
        Markdown.verdict(
            Figures.whole(runs)
                + " finished runs add at most 10 %, or 2 ms, to the p99 of the drift, and all fire",
            driftWith.isExact() && late <= Math.max(2, driftWithout.p99() / 10),
            Figures.brief(late) + " ms more"),
        Markdown.verdict(
            "dropping a partition lets no run be 100 ms late",
            drop.meanwhile().exact() && drop.meanwhile().max() < 100,
            "latest " + Figures.brief(drop.meanwhile().max()) + " ms"),
        Markdown.verdict(
            "every question is answered within 20 ms, p99",
            slowest < 20,
            "slowest " + Figures.brief(slowest) + " ms"));
  }
}
