package dev.carillon.benchmarks.table;

import dev.carillon.bench.Drift;
import dev.carillon.bench.Figures;
import dev.carillon.benchmarks.Promise;
import dev.carillon.benchmarks.contender.Entrant;
import dev.carillon.benchmarks.measure.Arena;
import dev.carillon.benchmarks.measure.ConsoleQueries;
import dev.carillon.benchmarks.measure.DrainTrial;
import dev.carillon.benchmarks.measure.PartitionDrop;
import dev.carillon.benchmarks.measure.Trial;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** What a long history costs: for fires, for queries of a console, and while it is dropped. */
record HistoryTable(
    int runs,
    Repeated without,
    Repeated with,
    RepeatedDrift driftWithout,
    RepeatedDrift driftWith,
    ConsoleQueries.Outcome console,
    PartitionDrop.Outcome drop) {
  private static final String HEAP = "512m";
  private static final String DATABASE = "carillon_with_history";
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
    arena.measureOn(DATABASE, Trial.fill(ours, runs), HEAP, Object.class);
    progress.end("done");
    var without = new ArrayList<DrainTrial.Outcome>();
    var with = new ArrayList<DrainTrial.Outcome>();
    var drain = Trial.drain(ours, effort.jobs());
    // In turns, so that a slow minute of the machine does not hit one of them alone.
    for (int repetition = 0; repetition < effort.repetitions(); repetition++) {
      progress.begin("drain without history");
      without.add(arena.measure(drain, 0, HEAP, DrainTrial.Outcome.class));
      progress.end(Figures.whole(without.get(repetition).jobsPerSecond()) + " runs/s");
      progress.begin("drain with history");
      with.add(arena.measureOn(DATABASE, drain, HEAP, DrainTrial.Outcome.class));
      progress.end(Figures.whole(with.get(repetition).jobsPerSecond()) + " runs/s");
    }
    progress.begin("queries of a console");
    var console =
        arena.measureOn(DATABASE, Trial.ask(ours, CALLS), HEAP, ConsoleQueries.Outcome.class);
    progress.end("done");
    var drift = Trial.drift(ours, SCHEDULES, effort.seconds() / 3);
    var driftWithout = new ArrayList<Drift.Outcome>();
    var driftWith = new ArrayList<Drift.Outcome>();
    for (int repetition = 0; repetition < effort.repetitions(); repetition++) {
      progress.begin("drift without history");
      driftWithout.add(arena.measure(drift, 0, HEAP, Drift.Outcome.class));
      progress.end(DriftTable.summary(driftWithout.get(repetition)));
      progress.begin("drift with history");
      driftWith.add(arena.measureOn(DATABASE, drift, HEAP, Drift.Outcome.class));
      progress.end(DriftTable.summary(driftWith.get(repetition)));
    }
    progress.begin("drift while the oldest week is dropped");
    var drop =
        arena.measureOn(
            DATABASE,
            Trial.drop(ours, SCHEDULES, effort.seconds()),
            HEAP,
            PartitionDrop.Outcome.class);
    progress.end(TableFigures.brief(drop.meanwhile().max()) + " ms late at most");
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
    promises().forEach(promise -> lines.add(promise.line()));
    return lines;
  }

  private List<String> firing() {
    var lines =
        new ArrayList<>(
            Markdown.head(
                1,
                List.of(
                    "finished runs",
                    "drain, runs/s",
                    "spread",
                    "× without",
                    "WAL B / run",
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
            TableFigures.times(drain.best().jobsPerSecond() / without.best().jobsPerSecond()),
            Figures.whole(drain.best().walBytes()),
            drift.seen(),
            TableFigures.brief(drift.median(Drift.Outcome::p50)),
            TableFigures.brief(drift.p99()),
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
                            timing.query(),
                            TableFigures.brief(timing.p50Millis()),
                            TableFigures.brief(timing.p99Millis()),
                            TableFigures.brief(timing.maxMillis())))));
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
                    TableFigures.mebibytes((long) drop.droppedBytes()),
                    TableFigures.brief(drop.dropMillis())),
            drop.meanwhile()));
    return lines;
  }

  private static String dropping(String when, Drift.Outcome drift) {
    return Markdown.row(
        List.of(
            when, seen(drift), TableFigures.brief(drift.p99()), TableFigures.brief(drift.max())));
  }

  private List<Promise> promises() {
    String finished = Figures.whole(runs) + " finished runs";
    double share = with.best().jobsPerSecond() / without.best().jobsPerSecond();
    double slowest =
        console.timings().stream()
            .mapToDouble(ConsoleQueries.Timing::p99Millis)
            .max()
            .orElse(Double.NaN);
    return List.of(
        new Promise(
            "drain rate with " + finished + ", as a share of the rate without",
            "at least 0.90",
            Markdown.share(share),
            share >= 0.9),
        driftWith.promise("with " + finished, driftWithout),
        new Promise(
            "latest fire while a partition of the history is dropped",
            "less than 100 ms late, all fires seen",
            "%s ms, %s seen"
                .formatted(TableFigures.brief(drop.meanwhile().max()), seen(drop.meanwhile())),
            drop.meanwhile().exact() && drop.meanwhile().max() < 100),
        new Promise(
            "slowest query of a console, p99",
            "less than 20 ms",
            TableFigures.brief(slowest) + " ms",
            slowest < 20));
  }

  private static String seen(Drift.Outcome drift) {
    return TableFigures.percent(drift.fired(), drift.expected());
  }
}
