package dev.carillon.benchmarks.table;

import dev.carillon.bench.Figures;
import dev.carillon.benchmarks.Promise;
import dev.carillon.benchmarks.contender.Entrant;
import dev.carillon.benchmarks.measure.Arena;
import dev.carillon.benchmarks.measure.Herd;
import dev.carillon.benchmarks.measure.Punctuality;
import dev.carillon.benchmarks.measure.Trial;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** How long a million schedules take that fire in the same second, and what others notice. */
record HerdTable(int schedules, Herd.Outcome outcome) {
  private static final String HEAP = "512m";
  private static final long MAX_HEAP_BYTES = 512L * 1024 * 1024;
  private static final double MIN_PER_SECOND = 10_000;
  private static final double MAX_P99_MILLIS = 1_000;

  static HerdTable measure(Arena arena, SuiteEffort effort)
      throws IOException, InterruptedException {
    int schedules = effort.choose(50_000, 1_000_000);
    var progress = new SuiteProgress("herd", 1);
    progress.begin(Figures.whole(schedules) + " schedules");
    var trial = Trial.herd(Entrant.CARILLON, schedules);
    var outcome = arena.measure(trial, 0, HEAP, Herd.Outcome.class);
    var table = new HerdTable(schedules, outcome);
    progress.end(Figures.whole(table.perSecond()) + " runs/s");
    return table;
  }

  private double perSecond() {
    return schedules / outcome.seconds();
  }

  List<String> lines() {
    var lines =
        new ArrayList<>(
            Markdown.head(
                0,
                List.of(
                    "schedules",
                    "created/s",
                    "planned/s",
                    "planned s ahead",
                    "finished",
                    "after s",
                    "runs/s",
                    "heap after GC MiB",
                    "process MiB")));
    lines.add(
        Markdown.row(
            List.of(
                Figures.whole(schedules),
                Figures.whole(schedules / outcome.creatingSeconds()),
                Figures.whole(schedules / outcome.planningSeconds()),
                TableFigures.brief(outcome.plannedAheadSeconds()),
                finished(),
                TableFigures.brief(outcome.seconds()),
                Figures.whole(perSecond()),
                TableFigures.mebibytes(outcome.heapBytes()),
                TableFigures.mebibytes(outcome.residentBytes()))));
    lines.add("");
    lines.addAll(
        Markdown.head(
            1, List.of("every second meanwhile", "fires", "seen", "p50 ms", "p99 ms", "max ms")));
    lines.add(line("with a target of its own", outcome.outsider()));
    lines.add(line("with the target of the herd", outcome.insider()));
    lines.add("");
    promises().forEach(promise -> lines.add(promise.line()));
    return lines;
  }

  private static String line(String who, Punctuality bystander) {
    return Markdown.row(
        List.of(
            who,
            Figures.whole((double) bystander.expected()),
            seen(bystander),
            TableFigures.brief(bystander.p50Millis()),
            TableFigures.brief(bystander.p99Millis()),
            TableFigures.brief(bystander.maxMillis())));
  }

  private List<Promise> promises() {
    double ahead = outcome.plannedAheadSeconds();
    Punctuality other = outcome.outsider();
    String together = Figures.whole(schedules) + " runs due in one second, ";
    return List.of(
        new Promise(together + "finished", "all", finished(), outcome.finished() == schedules),
        new Promise(
            together + "how fast",
            "at least " + Figures.whole(MIN_PER_SECOND) + " runs/s",
            Figures.whole(perSecond()) + " runs/s",
            perSecond() >= MIN_PER_SECOND),
        new Promise(
            together + "when the last is planned",
            "before they are due",
            TableFigures.brief(Math.abs(ahead)) + (ahead > 0 ? " s before" : " s after"),
            ahead > 0),
        new Promise(
            together + "heap after a full collection",
            "at most 512 MiB",
            TableFigures.mebibytes(outcome.heapBytes()) + " MiB",
            outcome.heapBytes() <= MAX_HEAP_BYTES),
        new Promise(
            together + "p99 of the lateness of an unrelated schedule",
            "at most " + Figures.whole(MAX_P99_MILLIS) + " ms, all fires seen",
            TableFigures.brief(other.p99Millis()) + " ms, " + seen(other) + " seen",
            other.complete() && other.p99Millis() <= MAX_P99_MILLIS));
  }

  private String finished() {
    return TableFigures.percent((double) outcome.finished(), schedules);
  }

  private static String seen(Punctuality bystander) {
    return TableFigures.percent((double) bystander.seen(), (double) bystander.expected());
  }
}
