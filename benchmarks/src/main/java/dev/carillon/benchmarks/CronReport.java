package dev.carillon.benchmarks;

import dev.carillon.benchmarks.Results.Score;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;

/** Turns the results of the cron benchmarks into one table, on screen and in the documentation. */
public final class CronReport {
  private static final double MAX_NEXT_NANOS = 1_000_000;

  private final Results results;
  private final String command;
  private final String commit;

  private CronReport(Results results, String command, String commit) {
    this.results = results;
    this.command = command;
    this.commit = commit;
  }

  /**
   * Print the report.
   *
   * @param args the results, the command that was typed, the commit that was measured, and the page
   *     to put the section into (empty: none)
   */
  public static void main(String[] args) throws IOException {
    String report = new CronReport(Results.read(Path.of(args[0])), args[1], args[2]).text();
    System.out.println(report);
    if (!args[3].isEmpty()) {
      Section.called("cron").write(report, Path.of(args[3]));
    }
  }

  private String text() throws IOException {
    var lines = new ArrayList<String>();
    lines.addAll(table());
    lines.add("");
    lines.add(
        String.format(
            Locale.ROOT,
            "ns per call; in brackets, how many times Carillon's; B = bytes Carillon allocates per"
                + " call. Widest 99.9 %% interval: ±%.0f %%.",
            100 * results.worstRelativeError()));
    lines.add("");
    CronPromise.ALL.forEach(promise -> lines.add(promise.judge(results).line()));
    lines.add(slowest().line());
    lines.add("");
    lines.add(setting());
    return String.join("\n", lines);
  }

  private List<String> table() {
    var lines = new ArrayList<String>();
    lines.add(
        "| call | expression | "
            + Arrays.stream(Library.values()).map(Library::title).collect(Collectors.joining(" | "))
            + " | B |");
    lines.add("|---|---" + "|---:".repeat(Library.values().length + 1) + "|");
    addRows(lines, "`next()`", NextBenchmark.class);
    addRows(lines, "parse", ParseBenchmark.class);
    addRows(lines, "count", CountBenchmark.class);
    addRows(lines, "slowest `next()`", SlowestNextBenchmark.class);
    return lines;
  }

  private void addRows(List<String> lines, String call, Class<?> benchmark) {
    for (String expression : results.expressions(benchmark)) {
      String cells =
          Arrays.stream(Library.values())
              .map(library -> cell(benchmark, expression, library))
              .collect(Collectors.joining(" | "));
      Optional<Score> ours = results.score(benchmark, expression, Library.CARILLON);
      lines.add(
          "| %s | `%s` | %s | %s |"
              .formatted(
                  call,
                  Expressions.shorten(expression),
                  cells,
                  ours.map(Score::bytes).map(CronReport::number).orElse("")));
    }
  }

  private String cell(Class<?> benchmark, String expression, Library library) {
    double ours = results.nanos(benchmark, expression, Library.CARILLON);
    return results
        .score(benchmark, expression, library)
        .map(Score::nanos)
        .map(
            nanos ->
                library == Library.CARILLON
                    ? "**" + number(nanos) + "**"
                    : number(nanos) + String.format(Locale.ROOT, " (%.1f×)", nanos / ours))
        .orElse("");
  }

  private Promise slowest() {
    double slowest =
        results.expressions(SlowestNextBenchmark.class).stream()
            .mapToDouble(e -> results.nanos(SlowestNextBenchmark.class, e, Library.CARILLON))
            .max()
            .orElse(Double.NaN);
    return new Promise(
        "slowest `next()`",
        "at most " + number(MAX_NEXT_NANOS) + " ns",
        number(slowest) + " ns",
        slowest <= MAX_NEXT_NANOS);
  }

  private String setting() throws IOException {
    return "Measured %s at %s with `%s` on %s, JDK %s; %s."
        .formatted(
            results.date(),
            commit,
            command,
            Machine.description(),
            results.jdk(),
            Versions.of(Arrays.stream(Library.values()).map(Library::title)));
  }

  private static String number(double value) {
    return String.format(Locale.ROOT, value < 100 ? "%,.1f" : "%,.0f", value);
  }
}
