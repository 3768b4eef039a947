package dev.carillon.benchmarks.table;

import dev.carillon.bench.Figures;
import dev.carillon.benchmarks.Promise;
import dev.carillon.benchmarks.contender.Entrant;
import dev.carillon.benchmarks.measure.Arena;
import dev.carillon.benchmarks.measure.ConsoleCalls;
import dev.carillon.benchmarks.measure.ConsoleScale;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** What the console costs with many schedules and runs. */
record ConsoleTable(int schedules, int runs, int times, ConsoleScale.Outcome outcome) {
  private static final int SCHEDULES = 100_000;
  private static final int FULL_RUNS = 1_000_000;
  private static final int QUICK_RUNS = 500_000;
  private static final double MAX_ANSWER_MILLIS = 300;
  private static final double MAX_SHOW_MILLIS = 1_000;
  private static final double MAX_KIBIBYTES = 150;

  static ConsoleTable measure(Arena arena, SuiteEffort effort)
      throws IOException, InterruptedException {
    int runs = effort.choose(QUICK_RUNS, FULL_RUNS);
    int times = effort.choose(5, 40);
    var progress = new SuiteProgress("console", 2);
    progress.begin("writing " + Figures.whole(runs) + " finished runs");
    var console = ConsoleScale.fill(arena.fresh(Entrant.CARILLON, 0), SCHEDULES, runs);
    progress.end("done");
    progress.begin("requests, views, and an open console");
    var outcome = console.measure(times, 2 * effort.seconds());
    progress.end("done");
    return new ConsoleTable(SCHEDULES, runs, times, outcome);
  }

  List<String> lines() {
    var lines =
        new ArrayList<>(
            Markdown.head(
                2,
                List.of(
                    "view",
                    "request; "
                        + Figures.whole(schedules)
                        + " schedules, "
                        + Figures.whole(runs)
                        + " finished runs",
                    "median ms",
                    "slowest ms")));
    outcome.calls().forEach(timing -> lines.add(line(timing)));
    lines.add("");
    lines.addAll(Markdown.head(1, List.of("view in a browser", "until it shows, ms")));
    outcome
        .browser()
        .millis()
        .forEach((view, millis) -> lines.add(Markdown.row(List.of(view, Figures.whole(millis)))));
    lines.add("");
    lines.add(
        "The console has %s files with %s KiB compressed, of which %s KiB are loaded before the first view. "
                .formatted(
                    outcome.size().files(),
                    kibibytes(outcome.size().bytes()),
                    kibibytes(outcome.size().firstBytes()))
            + "Server and PostgreSQL used %s %% of a core with nothing to do, and %s %% with an open console."
                .formatted(
                    TableFigures.brief(outcome.browser().alonePercent()),
                    TableFigures.brief(outcome.browser().openPercent())));
    lines.add("");
    promises().forEach(promise -> lines.add(promise.line()));
    return lines;
  }

  private static String line(ConsoleCalls.Timing timing) {
    return Markdown.row(
        List.of(
            timing.view(),
            timing.request(),
            TableFigures.brief(timing.medianMillis()),
            TableFigures.brief(timing.maxMillis())));
  }

  private static String kibibytes(long bytes) {
    return Figures.whole(bytes / 1024.0);
  }

  private List<Promise> promises() {
    ConsoleCalls.Timing slowest =
        outcome.calls().stream()
            .reduce((one, other) -> one.medianMillis() < other.medianMillis() ? other : one)
            .orElseThrow();
    long failed = failed(outcome.calls());
    double shown =
        outcome.browser().millis().values().stream()
            .mapToDouble(Double::doubleValue)
            .max()
            .orElse(Double.NaN);
    double kibibytes = outcome.size().bytes() / 1024.0;
    double more = outcome.browser().morePercent();
    long smallFailed = failed(outcome.small());
    return List.of(
        new Promise(
            "slowest request of a view, median",
            "less than 300 ms, none failed",
            "%s ms, %s failed".formatted(TableFigures.brief(slowest.medianMillis()), failed),
            slowest.view() + ": " + slowest.request(),
            slowest.medianMillis() < MAX_ANSWER_MILLIS && failed == 0),
        new Promise(
            "slowest view to show in a browser",
            "less than 1,000 ms",
            Double.isNaN(shown) ? "no browser" : Figures.whole(shown) + " ms",
            shown < MAX_SHOW_MILLIS),
        new Promise(
            "all files of the console, compressed",
            "less than 150 KiB",
            Figures.whole(kibibytes) + " KiB",
            kibibytes < MAX_KIBIBYTES),
        new Promise(
            "processor time because of an open console, that of PostgreSQL included",
            "less than 1 % of a core",
            TableFigures.brief(more) + " %",
            more < 1),
        new Promise(
            "requests that a server with a heap of 128 MiB answers",
            "all",
            smallFailed == 0 ? "all" : "all but " + smallFailed,
            smallFailed == 0));
  }

  private static long failed(List<ConsoleCalls.Timing> timings) {
    return timings.stream().filter(timing -> timing.status() != 200).count();
  }
}
