package dev.carillon.benchmarks.table;

import dev.carillon.bench.Figures;
import dev.carillon.benchmarks.contender.Entrant;
import dev.carillon.benchmarks.measure.Arena;
import dev.carillon.benchmarks.measure.Herd;
import dev.carillon.benchmarks.measure.Punctuality;
import dev.carillon.benchmarks.measure.Trial;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** How a great many schedules get through the second they share, and who suffers from it. */
record HerdTable(int schedules, Herd.Outcome outcome) {
  private static final String HEAP = "512m";
  private static final long MAX_HEAP_BYTES = 512L * 1024 * 1024;
  private static final double MIN_PER_SECOND = 10_000;
  private static final double LATEST_MILLIS = 1_000;

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
                Figures.brief(outcome.plannedAheadSeconds()),
                Figures.percent((double) outcome.finished(), schedules),
                Figures.brief(outcome.seconds()),
                Figures.whole(perSecond()),
                Figures.mebibytes(outcome.heapBytes()),
                Figures.mebibytes(outcome.residentBytes()))));
    lines.add("");
    lines.addAll(
        Markdown.head(
            1, List.of("every second meanwhile", "fires", "seen", "p50 ms", "p99 ms", "max ms")));
    lines.add(line("with a target of its own", outcome.outsider()));
    lines.add(line("with the target of the herd", outcome.insider()));
    lines.add("");
    lines.addAll(verdicts());
    return lines;
  }

  private static String line(String who, Punctuality bystander) {
    return Markdown.row(
        List.of(
            who,
            Figures.whole((double) bystander.expected()),
            Figures.percent((double) bystander.seen(), (double) bystander.expected()),
            Figures.brief(bystander.p50Millis()),
            Figures.brief(bystander.p99Millis()),
            Figures.brief(bystander.maxMillis())));
  }

  private List<String> verdicts() {
    return List.of(
        Markdown.verdict(
            "all of them, at least 10,000 runs/s",
            outcome.finished() == schedules && perSecond() >= MIN_PER_SECOND,
            Figures.whole(perSecond())),
        Markdown.verdict(
            "planned before they are due",
            outcome.plannedAheadSeconds() > 0,
            Figures.brief(outcome.plannedAheadSeconds()) + " s ahead"),
        Markdown.verdict(
            "heap at most 512 MiB",
            outcome.heapBytes() <= MAX_HEAP_BYTES,
            Figures.mebibytes(outcome.heapBytes()) + " MiB"),
        Markdown.verdict(
            "an unrelated schedule fires every second, p99 at most 1 s",
            outcome.outsider().complete() && outcome.outsider().p99Millis() <= LATEST_MILLIS,
            Figures.brief(outcome.outsider().p99Millis()) + " ms"));
  }
}
