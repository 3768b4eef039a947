package dev.carillon.benchmarks.table;

import dev.carillon.bench.Figures;
import dev.carillon.benchmarks.Promise;
import dev.carillon.benchmarks.contender.Entrant;
import dev.carillon.benchmarks.measure.Arena;
import dev.carillon.benchmarks.measure.Soak;
import dev.carillon.benchmarks.measure.Trial;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** Whether anything grows that should not while schedules fire for a long time. */
record SoakTable(List<Soak.Sample> samples) {
  private static final String HEAP = "512m";
  private static final int SCHEDULES = 1_000;
  private static final double DISREGARDED_BYTES = 128 * 1_024;

  static SoakTable measure(Arena arena, SuiteEffort effort)
      throws IOException, InterruptedException {
    int minutes = Integer.getInteger("soak.minutes", 60);
    int measured = effort.choose(3, minutes);
    var progress = new SuiteProgress("soak", 1);
    progress.begin(measured + " minutes of " + Figures.whole(SCHEDULES) + " schedules");
    var trial = Trial.soak(Entrant.CARILLON, SCHEDULES, measured * 60);
    var outcome = arena.measure(trial, 0, HEAP, Soak.Outcome.class);
    progress.end("done");
    return new SoakTable(outcome.samples());
  }

  List<String> lines() {
    Soak.Sample first = at(0);
    Soak.Sample middle = at(samples.size() / 2);
    Soak.Sample last = at(samples.size() - 1);
    var lines =
        new ArrayList<>(
            Markdown.head(
                1,
                List.of(
                    Figures.whole(SCHEDULES) + " schedules every second",
                    "minute " + first.minute(),
                    "minute " + middle.minute(),
                    "minute " + last.minute())));
    for (String table : Soak.LIVE) {
      lines.add(
          row(
              "`" + table + "`, KiB",
              kibibytes(first, table),
              kibibytes(middle, table),
              kibibytes(last, table)));
    }
    lines.add(
        row(
            "`history`, B / run",
            Figures.whole(first.historyBytes() / first.runs()),
            Figures.whole(middle.historyBytes() / middle.runs()),
            Figures.whole(last.historyBytes() / last.runs())));
    lines.addAll(rates(first, middle, last));
    lines.add("");
    promises().forEach(promise -> lines.add(promise.line()));
    return lines;
  }

  private Soak.Sample at(int index) {
    return samples.get(index);
  }

  private static String row(String... cells) {
    return Markdown.row(List.of(cells));
  }

  private static String kibibytes(Soak.Sample sample, String table) {
    return Figures.whole(bytes(sample, table) / 1024);
  }

  private static double bytes(Soak.Sample sample, String table) {
    return sample.liveBytes().getOrDefault(table, Double.NaN);
  }

  /* Of the minutes up to the one named; the first minute has none before it. */
  private List<String> rates(Soak.Sample first, Soak.Sample middle, Soak.Sample last) {
    return List.of(
        row(
            "WAL, B / run",
            "",
            Figures.whole((middle.walBytes() - first.walBytes()) / (middle.runs() - first.runs())),
            Figures.whole((last.walBytes() - middle.walBytes()) / (last.runs() - middle.runs()))),
        row(
            "statements / run",
            "",
            Figures.fine(
                (middle.statements() - first.statements()) / (middle.runs() - first.runs())),
            Figures.fine(
                (last.statements() - middle.statements()) / (last.runs() - middle.runs()))),
        row(
            "commits / run",
            "",
            Figures.fine((middle.commits() - first.commits()) / (middle.runs() - first.runs())),
            Figures.fine((last.commits() - middle.commits()) / (last.runs() - middle.runs()))));
  }

  private List<Promise> promises() {
    int quarter = Math.max(1, samples.size() / 4);
    int second = Math.min(quarter, samples.size() - quarter);
    String grown = "nothing";
    double most = 0;
    for (String table : Soak.LIVE) {
      double early = largest(table, second, second + quarter);
      double late = largest(table, samples.size() - quarter, samples.size());
      double growth = (late - DISREGARDED_BYTES) / early;
      if (growth > most) {
        most = growth;
        grown = table;
      }
    }
    Soak.Sample first = at(0);
    Soak.Sample last = at(samples.size() - 1);
    double wal = (last.walBytes() - first.walBytes()) / (last.runs() - first.runs());
    return List.of(
        new Promise(
            "growth of the live tables, the last quarter of the time compared with the second",
            "at most 1.10× and 128 KiB",
            TableFigures.times(most),
            "`" + grown + "`",
            most <= 1.1),
        new Promise("bytes of WAL per run", "at most 1,500", Figures.whole(wal), wal <= 1_500));
  }

  private double largest(String table, int from, int to) {
    return samples.subList(from, to).stream()
        .mapToDouble(sample -> bytes(sample, table))
        .max()
        .orElse(Double.NaN);
  }
}
