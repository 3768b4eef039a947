package dev.carillon.benchmarks.scale;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** Whether anything grows that should not while schedules fire for a long time. */
record SoakTable(List<Soak.Sample> samples) {
  private static final String HEAP = "512m";
  private static final int SCHEDULES = 1_000;

  static SoakTable measure(Arena arena, Effort effort) throws IOException, InterruptedException {
    int minutes = Integer.getInteger("soak.minutes", 60);
    int measured = effort.equals(Effort.FULL) ? minutes : 3;
    var progress = new Progress("soak", 1);
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
            Figures.head(
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
    lines.add(verdict());
    return lines;
  }

  private Soak.Sample at(int index) {
    return samples.get(index);
  }

  private static String row(String... cells) {
    return Figures.row(List.of(cells));
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

  private String verdict() {
    double early = live(at(Math.max(0, samples.size() / 4 - 1)));
    double late =
        samples.subList(samples.size() - Math.max(1, samples.size() / 4), samples.size()).stream()
            .mapToDouble(SoakTable::live)
            .max()
            .orElse(Double.NaN);
    return Figures.verdict(
        "live tables are in the last quarter at most 1.1× as large as after the first",
        late <= 1.1 * early,
        Figures.times(late / early));
  }

  private static double live(Soak.Sample sample) {
    return sample.liveBytes().values().stream().mapToDouble(Double::doubleValue).sum();
  }
}
