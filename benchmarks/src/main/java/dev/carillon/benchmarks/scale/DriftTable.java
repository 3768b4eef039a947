package dev.carillon.benchmarks.scale;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** How late the handlers of growing fleets of schedules start. */
record DriftTable(List<Row> rows, int seconds) {
  private static final String HEAP = "512m";
  private static final Map<Integer, Integer> P99_BARS = Map.of(1_000, 20, 5_000, 100, 10_000, 500);

  /** One entrant with one fleet. */
  record Row(int schedules, Entrant entrant, Drift.Outcome outcome) {}

  static DriftTable measure(Arena arena, Effort effort) throws IOException, InterruptedException {
    var entrants = Entrant.in(Suite.DRIFT);
    var progress = new Progress("drift", effort.fleets().size() * entrants.size());
    var rows = new ArrayList<Row>();
    for (int schedules : effort.fleets()) {
      for (Entrant entrant : entrants) {
        progress.begin(entrant.title() + ", " + Figures.whole(schedules) + " schedules");
        var outcome =
            arena.measure(
                Trial.drift(entrant, schedules, effort.seconds()), 0, HEAP, Drift.Outcome.class);
        progress.end(summary(outcome));
        rows.add(new Row(schedules, entrant, outcome));
      }
    }
    return new DriftTable(rows, effort.seconds());
  }

  static String summary(Drift.Outcome outcome) {
    return "%s fired, p99 %s ms"
        .formatted(
            Figures.percent(outcome.seen(), outcome.expected()),
            Figures.brief(outcome.p99Millis()));
  }

  List<String> lines() {
    var lines =
        new ArrayList<>(
            Figures.head(
                2,
                List.of(
                    "schedules",
                    "every second for " + seconds + " s",
                    "fires expected",
                    "seen",
                    "p50 ms",
                    "p99 ms",
                    "max ms",
                    "p99, × best peer")));
    rows.forEach(row -> lines.add(line(row)));
    var verdicts = rows.stream().filter(row -> row.entrant().isOurs()).map(this::verdict).toList();
    if (!verdicts.isEmpty()) {
      lines.add("");
      lines.addAll(verdicts);
    }
    return lines;
  }

  private String line(Row row) {
    Drift.Outcome outcome = row.outcome();
    return Figures.row(
        List.of(
            Figures.whole(row.schedules()),
            row.entrant().title(),
            Figures.whole(outcome.expected()),
            seen(outcome),
            Figures.brief(outcome.p50Millis()),
            Figures.brief(outcome.p99Millis()),
            Figures.brief(outcome.maxMillis()),
            Figures.times(outcome.p99Millis() / bestPeer(row.schedules()))));
  }

  /** Write how many fires were seen, and what nobody should ever see. */
  private static String seen(Drift.Outcome outcome) {
    String seen = Figures.percent(outcome.seen(), outcome.expected());
    return (outcome.repeated() == 0 ? seen : seen + ", " + outcome.repeated() + " twice")
        + (outcome.early() == 0 ? "" : ", " + outcome.early() + " early");
  }

  private double bestPeer(int schedules) {
    return rows.stream()
        .filter(row -> row.schedules() == schedules && !row.entrant().isOurs())
        .mapToDouble(row -> row.outcome().p99Millis())
        .min()
        .orElse(Double.NaN);
  }

  private String verdict(Row row) {
    int bar = P99_BARS.getOrDefault(row.schedules(), Integer.MAX_VALUE);
    Drift.Outcome outcome = row.outcome();
    return Figures.verdict(
        "%s fires per second: all of them, p99 at most %s ms"
            .formatted(Figures.whole(row.schedules()), bar),
        outcome.seen() == outcome.expected() && outcome.p99Millis() <= bar,
        summary(outcome));
  }
}
