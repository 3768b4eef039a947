package dev.carillon.benchmarks.table;

import static java.util.Comparator.naturalOrder;

import dev.carillon.bench.Drift;
import dev.carillon.bench.Figures;
import dev.carillon.benchmarks.Promise;
import dev.carillon.benchmarks.contender.Entrant;
import dev.carillon.benchmarks.contender.Suite;
import dev.carillon.benchmarks.measure.Arena;
import dev.carillon.benchmarks.measure.ColdStart;
import dev.carillon.benchmarks.measure.Database;
import dev.carillon.benchmarks.measure.DrainTrial;
import dev.carillon.benchmarks.measure.Trial;
import dev.carillon.benchmarks.measure.TrialProcess;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** How idle schedules slow down those that fire. */
record GrowthTable(List<Row> rows) {
  private static final String HEAP = "256m";
  private static final int SCHEDULES = 1_000;
  private static final long MEBIBYTE = 1024 * 1024;

  /** One entrant with so many idle schedules. */
  record Combination(int idle, Entrant entrant) {
    String title() {
      return entrant.library() + ", " + Figures.whole(idle) + " idle";
    }
  }

  /**
   * What was measured with one combination.
   *
   * @param startMillis from the start of a node until its first run starts, at best
   * @param bytes the size of the database before anything was measured
   * @param secondsToAdd how long the library took to add the idle schedules, if it added them all
   */
  record Row(
      Combination combination,
      Repeated drain,
      RepeatedDrift drift,
      double startMillis,
      double bytes,
      double secondsToAdd) {
    int idle() {
      return combination.idle();
    }

    Entrant entrant() {
      return combination.entrant();
    }
  }

  static GrowthTable measure(Arena arena, SuiteEffort effort)
      throws IOException, InterruptedException {
    int created = effort.idle().stream().filter(idle -> idle > 0).min(naturalOrder()).orElse(0);
    List<Combination> combinations =
        effort.idle().stream()
            .flatMap(
                idle ->
                    effort.entrants(Suite.GROWTH).stream()
                        .map(entrant -> new Combination(idle, entrant)))
            .filter(combination -> combination.entrant().isOurs() || combination.idle() <= created)
            .toList();
    var all = new ArrayList<Measurements>();
    for (Combination combination : combinations) {
      all.add(new Measurements(combination, database(arena, combination, created)));
    }
    var progress = new SuiteProgress("growth", combinations.size() * effort.repetitions() * 3);
    // In turns, so that a slow minute of the machine does not hit one of them alone.
    for (int repetition = 0; repetition < effort.repetitions(); repetition++) {
      for (Measurements measurements : all) {
        progress.begin(measurements.combination.title() + ", start");
        var start =
            measurements.run(
                Trial.coldStart(measurements.combination.entrant(), 1), ColdStart.Outcome.class);
        progress.end(Figures.whole(start.millis()) + " ms");
        measurements.startMillis = Math.min(measurements.startMillis, start.millis());
        progress.begin(measurements.combination.title() + ", drain");
        var drain =
            measurements.run(
                Trial.drain(measurements.combination.entrant(), effort.jobs()),
                DrainTrial.Outcome.class);
        progress.end(Figures.whole(drain.jobsPerSecond()) + " runs/s");
        measurements.drains.add(drain);
        progress.begin(measurements.combination.title() + ", drift");
        var drift =
            measurements.run(
                Trial.drift(measurements.combination.entrant(), SCHEDULES, effort.seconds() / 3),
                Drift.Outcome.class);
        progress.end(DriftTable.summary(drift));
        measurements.drifts.add(drift);
      }
    }
    return new GrowthTable(all.stream().map(measurements -> row(measurements, arena)).toList());
  }

  private static Row row(Measurements measurements, Arena arena) {
    return new Row(
        measurements.combination,
        new Repeated(measurements.drains),
        new RepeatedDrift(measurements.drifts),
        measurements.startMillis,
        measurements.bytes,
        arena.secondsToAdd(measurements.combination.entrant(), measurements.combination.idle()));
  }

  private static Database database(Arena arena, Combination combination, int created)
      throws IOException, InterruptedException {
    return combination.idle() <= created
        ? arena.kept(combination.entrant(), combination.idle())
        : arena.keptCopies(combination.entrant(), combination.idle(), created);
  }

  /** The database of one combination, and what was measured in it so far. */
  private static final class Measurements {
    private final Combination combination;
    private final Database database;
    private final double bytes;
    private final List<DrainTrial.Outcome> drains = new ArrayList<>();
    private final List<Drift.Outcome> drifts = new ArrayList<>();
    private double startMillis = Double.MAX_VALUE;

    Measurements(Combination combination, Database database) {
      this.combination = combination;
      this.database = database;
      this.bytes = database.sql().number("select pg_database_size(current_database())");
    }

    <T> T run(Trial trial, Class<T> outcome) throws IOException, InterruptedException {
      return TrialProcess.run(trial, database, HEAP, outcome);
    }
  }

  List<String> lines() {
    var lines =
        new ArrayList<>(
            Markdown.head(
                2,
                List.of(
                    "idle schedules",
                    "JVM with -Xmx" + HEAP,
                    "drain, runs/s",
                    "spread",
                    "× without idle",
                    "× best peer",
                    "drift, seen",
                    "p50 ms",
                    "p99 ms",
                    "spread",
                    "heap MiB",
                    "start ms",
                    "B per idle",
                    "added/s")));
    rows.forEach(row -> lines.add(line(row)));
    lines.add("");
    rows.stream()
        .filter(row -> row.entrant().isOurs() && row.idle() > 0)
        .flatMap(row -> promises(row).stream())
        .forEach(promise -> lines.add(promise.line()));
    return lines;
  }

  private String line(Row row) {
    RepeatedDrift drift = row.drift();
    return Markdown.row(
        List.of(
            Figures.whole(row.idle()),
            row.entrant().title(),
            Figures.whole(speed(row)),
            row.drain().spread(),
            TableFigures.times(remaining(row)),
            TableFigures.times(speed(row) / bestPeer(row.idle())),
            drift.seen(),
            TableFigures.brief(drift.median(Drift.Outcome::p50)),
            TableFigures.brief(drift.p99()),
            drift.spread(),
            TableFigures.mebibytes(heap(row)),
            Figures.whole(row.startMillis()),
            row.idle() == 0 ? "" : Figures.whole((row.bytes() - empty(row).bytes()) / row.idle()),
            row.idle() == 0 || Double.isNaN(row.secondsToAdd())
                ? ""
                : Figures.whole(row.idle() / row.secondsToAdd())));
  }

  private static long heap(Row row) {
    return Math.max(
        (long) row.drift().most(Drift.Outcome::heapBytes), row.drain().best().heapBytes());
  }

  private List<Promise> promises(Row row) {
    Row empty = empty(row);
    String idle = Figures.whole(row.idle()) + " idle schedules";
    long moreHeap = heap(row) - heap(empty);
    return List.of(
        new Promise(
            "drain rate with " + idle + ", as a share of the rate without",
            "at least 0.90",
            Markdown.share(remaining(row)),
            remaining(row) >= 0.9),
        row.drift().promise("with " + idle, empty.drift()),
        new Promise(
            "heap with " + idle + ", compared with none",
            "less than 1 MiB more",
            moreHeap > 0 && moreHeap < MEBIBYTE
                ? "less than 1 MiB more"
                : Markdown.more((double) moreHeap / MEBIBYTE, "MiB"),
            moreHeap < MEBIBYTE),
        new Promise(
            "start of a node with " + idle,
            "at most 500 ms",
            Figures.whole(row.startMillis()) + " ms",
            row.startMillis() <= 500));
  }

  /** Return the row of the same entrant without idle schedules. */
  private Row empty(Row row) {
    return rows.stream()
        .filter(other -> other.idle() == 0 && other.entrant() == row.entrant())
        .findFirst()
        .orElseThrow();
  }

  /** Return the share of the speed without idle schedules that is left with them. */
  private double remaining(Row row) {
    return speed(row) / speed(empty(row));
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
