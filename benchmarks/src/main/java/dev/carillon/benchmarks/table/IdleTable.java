package dev.carillon.benchmarks.table;

import dev.carillon.bench.Figures;
import dev.carillon.benchmarks.Promise;
import dev.carillon.benchmarks.contender.Entrant;
import dev.carillon.benchmarks.contender.Suite;
import dev.carillon.benchmarks.measure.Arena;
import dev.carillon.benchmarks.measure.ColdStart;
import dev.carillon.benchmarks.measure.Idle;
import dev.carillon.benchmarks.measure.Trial;
import java.io.IOException;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;

/** What every entrant costs while nothing is due, and how long it takes to start. */
record IdleTable(Map<Entrant, Row> rows) {
  private static final String HEAP = "256m";
  private static final int SCHEDULES = 100_000;

  /** One entrant: idle once, and started several times. */
  record Row(Idle.Outcome idle, List<ColdStart.Outcome> starts) {

    /** Return the figure of the start in the middle. */
    double median(ToDoubleFunction<ColdStart.Outcome> figure) {
      double[] sorted = starts.stream().mapToDouble(figure).sorted().toArray();
      return sorted[sorted.length / 2];
    }
  }

  static IdleTable measure(Arena arena, SuiteEffort effort)
      throws IOException, InterruptedException {
    var entrants = effort.entrants(Suite.IDLE);
    var progress = new SuiteProgress("idle", 2 * entrants.size());
    Map<Entrant, Row> rows = new EnumMap<>(Entrant.class);
    for (Entrant entrant : entrants) {
      progress.begin(entrant.title() + ", idle");
      var trial = Trial.idle(entrant, effort.seconds() / 2);
      var idle = arena.measure(trial, SCHEDULES, HEAP, Idle.Outcome.class);
      progress.end(Figures.fine(idle.percent()) + " % of a core");
      progress.begin(entrant.title() + ", start");
      var row = new Row(idle, starts(arena, entrant, effort));
      progress.end(Figures.whole(row.median(ColdStart.Outcome::millis)) + " ms");
      rows.put(entrant, row);
    }
    return new IdleTable(rows);
  }

  private static List<ColdStart.Outcome> starts(Arena arena, Entrant entrant, SuiteEffort effort)
      throws IOException, InterruptedException {
    var starts = new ArrayList<ColdStart.Outcome>();
    for (int repetition = 0; repetition < effort.repetitions(); repetition++) {
      arena.measureAgain(Trial.add(entrant, 1), HEAP, Object.class);
      starts.add(arena.measureAgain(Trial.coldStart(entrant, 0), HEAP, ColdStart.Outcome.class));
    }
    return starts;
  }

  List<String> lines() {
    var lines =
        new ArrayList<>(
            Markdown.head(
                1,
                List.of(
                    "-Xmx" + HEAP,
                    "idle schedules",
                    "% of a core: process",
                    "PostgreSQL",
                    "PostgreSQL alone",
                    "because of the scheduler",
                    "start to first handler, ms",
                    "JVM start to first handler, ms",
                    "resident MiB")));
    rows.forEach((entrant, row) -> lines.add(line(entrant, row)));
    lines.add("");
    promises().forEach(promise -> lines.add(promise.line()));
    return lines;
  }

  private static String line(Entrant entrant, Row row) {
    return Markdown.row(
        List.of(
            entrant.title(),
            Figures.whole(SCHEDULES),
            Figures.fine(row.idle().processPercent()),
            Figures.fine(row.idle().serverPercent()),
            Figures.fine(row.idle().alonePercent()),
            Figures.fine(row.idle().percent()),
            Figures.whole(row.median(ColdStart.Outcome::millis)),
            Figures.whole(row.median(ColdStart.Outcome::jvmMillis)),
            TableFigures.mebibytes(row.idle().residentBytes())));
  }

  private List<Promise> promises() {
    double percent = ours(row -> row.idle().percent());
    double start = ours(row -> row.median(ColdStart.Outcome::millis));
    return List.of(
        new Promise(
            "processor time while idle, that of PostgreSQL included",
            "at most 1 % of a core",
            TableFigures.brief(percent) + " %",
            peers(" %", row -> row.idle().percent()),
            percent <= 1),
        new Promise(
            "start to first handler",
            "at most 500 ms",
            TableFigures.brief(start) + " ms",
            peers(" ms", row -> row.median(ColdStart.Outcome::millis)),
            start <= 500));
  }

  private double ours(ToDoubleFunction<Row> figure) {
    return figure.applyAsDouble(Markdown.known(rows, Entrant.CARILLON));
  }

  private String peers(String unit, ToDoubleFunction<Row> figure) {
    return rows.entrySet().stream()
        .filter(row -> !row.getKey().isOurs())
        .map(
            peer -> {
              double theirs = figure.applyAsDouble(peer.getValue());
              return Markdown.peer(
                  peer.getKey().library(),
                  TableFigures.brief(theirs) + unit,
                  theirs / ours(figure));
            })
        .collect(Collectors.joining("; "));
  }
}
