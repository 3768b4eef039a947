package dev.carillon.benchmarks.scale;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** What schedules that sleep cost those that do not. */
record GrowthTable(List<Row> rows) {
  private static final String HEAP = "256m";
  private static final int SCHEDULES = 1_000;

  /** One entrant among so many idle schedules. */
  record Field(int idle, Entrant entrant) {
    String title() {
      return entrant.library() + ", " + Figures.whole(idle) + " idle";
    }
  }

  /** What was measured in one field. */
  record Row(Field field, Repeated drain, Drift.Outcome drift) {
    int idle() {
      return field.idle();
    }

    Entrant entrant() {
      return field.entrant();
    }
  }

  static GrowthTable measure(Arena arena, Effort effort) throws IOException, InterruptedException {
    List<Field> fields =
        effort.idle().stream()
            .flatMap(
                idle -> Entrant.in(Suite.GROWTH).stream().map(entrant -> new Field(idle, entrant)))
            .toList();
    var progress = new Progress("growth", fields.size() * (effort.repetitions() + 1));
    Map<Field, List<Drain.Outcome>> drains = new HashMap<>();
    // In turns, so that a slow minute of the machine does not hit one field alone.
    for (int repetition = 0; repetition < effort.repetitions(); repetition++) {
      for (Field field : fields) {
        progress.begin(field.title() + ", drain");
        var trial = Trial.drain(field.entrant(), effort.jobs());
        var drain = arena.measure(trial, field.idle(), HEAP, Drain.Outcome.class);
        progress.end(Figures.whole(drain.jobsPerSecond()) + " jobs/s");
        drains.computeIfAbsent(field, key -> new ArrayList<>()).add(drain);
      }
    }
    var rows = new ArrayList<Row>();
    for (Field field : fields) {
      progress.begin(field.title() + ", drift");
      var trial = Trial.drift(field.entrant(), SCHEDULES, effort.seconds());
      var drift = arena.measure(trial, field.idle(), HEAP, Drift.Outcome.class);
      progress.end(DriftTable.summary(drift));
      rows.add(new Row(field, new Repeated(drains.getOrDefault(field, List.of())), drift));
    }
    return new GrowthTable(rows);
  }

  List<String> lines() {
    var lines =
        new ArrayList<>(
            Figures.head(
                2,
                List.of(
                    "idle schedules",
                    "JVM with -Xmx" + HEAP,
                    "drain, jobs/s",
                    "spread",
                    "× without idle",
                    "× best peer",
                    "drift, seen",
                    "p50 ms",
                    "p99 ms",
                    "heap MiB")));
    rows.forEach(row -> lines.add(line(row)));
    var verdicts =
        rows.stream()
            .filter(row -> row.entrant().isOurs() && row.idle() > 0)
            .map(this::verdict)
            .toList();
    if (!verdicts.isEmpty()) {
      lines.add("");
      lines.addAll(verdicts);
    }
    return lines;
  }

  private String line(Row row) {
    Drift.Outcome drift = row.drift();
    return Figures.row(
        List.of(
            Figures.whole(row.idle()),
            row.entrant().title(),
            Figures.whole(speed(row)),
            row.drain().spread(),
            Figures.times(remaining(row)),
            Figures.times(speed(row) / bestPeer(row.idle())),
            Figures.percent(drift.seen(), drift.expected()),
            Figures.brief(drift.p50Millis()),
            Figures.brief(drift.p99Millis()),
            Figures.mebibytes(Math.max(drift.heapBytes(), row.drain().best().heapBytes()))));
  }

  private String verdict(Row row) {
    return Figures.verdict(
        Figures.whole(row.idle()) + " idle schedules slow a drain by at most 10 %",
        remaining(row) >= 0.9,
        Figures.times(remaining(row)));
  }

  /** Return the share of the speed without idle schedules that is left with them. */
  private double remaining(Row row) {
    return rows.stream()
        .filter(other -> other.idle() == 0 && other.entrant() == row.entrant())
        .mapToDouble(GrowthTable::speed)
        .map(alone -> speed(row) / alone)
        .findFirst()
        .orElse(Double.NaN);
  }

  private double bestPeer(int idle) {
    return rows.stream()
        .filter(row -> row.idle() == idle && !row.entrant().isOurs())
        .mapToDouble(GrowthTable::speed)
        .max()
        .orElse(Double.NaN);
  }

  private static double speed(Row row) {
    return row.drain().best().jobsPerSecond();
  }
}
