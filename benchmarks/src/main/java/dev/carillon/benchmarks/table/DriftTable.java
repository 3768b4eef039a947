package dev.carillon.benchmarks.table;

import static java.util.stream.Collectors.joining;

import dev.carillon.bench.Drift;
import dev.carillon.bench.Figures;
import dev.carillon.benchmarks.Promise;
import dev.carillon.benchmarks.contender.Entrant;
import dev.carillon.benchmarks.measure.Arena;
import dev.carillon.benchmarks.measure.Trial;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** How late the handlers of growing fleets of schedules start. */
record DriftTable(List<Row> rows) {
  private static final String HEAP = "512m";
  private static final Map<Integer, Integer> MAX_P99_MILLIS =
      Map.of(1_000, 20, 5_000, 100, 10_000, 500);

  /** One entrant with one fleet. */
  record Row(DriftRound round, RepeatedDrift drift) {
    int schedules() {
      return round.schedules();
    }

    Entrant entrant() {
      return round.entrant();
    }

    double p99() {
      return drift.p99();
    }
  }

  static DriftTable measure(Arena arena, SuiteEffort effort)
      throws IOException, InterruptedException {
    List<DriftRound> rounds = DriftRound.of(effort);
    var progress =
        new SuiteProgress("drift", rounds.stream().mapToInt(round -> round.seconds().size()).sum());
    var rows = new ArrayList<Row>();
    for (DriftRound round : rounds) {
      var outcomes = new ArrayList<Drift.Outcome>();
      for (int seconds : round.seconds()) {
        progress.begin(round.title());
        var trial = Trial.drift(round.entrant(), round.schedules(), seconds);
        var outcome = arena.measure(trial, 0, HEAP, Drift.Outcome.class);
        progress.end(summary(outcome));
        outcomes.add(outcome);
      }
      rows.add(new Row(round, new RepeatedDrift(outcomes)));
    }
    return new DriftTable(rows);
  }

  static String summary(Drift.Outcome outcome) {
    return "%s fired, p99 %s ms"
        .formatted(
            TableFigures.percent(outcome.fired(), outcome.expected()),
            TableFigures.brief(outcome.p99()));
  }

  List<String> lines() {
    var lines =
        new ArrayList<>(
            Markdown.head(
                2,
                List.of(
                    "schedules",
                    "",
                    "seconds",
                    "fires expected",
                    "seen",
                    "p50 ms",
                    "p99 ms",
                    "spread",
                    "at the end",
                    "max ms",
                    "p99, × Carillon's")));
    rows.forEach(row -> lines.add(line(row)));
    lines.add("");
    rows.stream()
        .filter(row -> row.entrant().isOurs())
        .flatMap(this::promises)
        .map(Promise::line)
        .forEach(lines::add);
    return lines;
  }

  private String line(Row row) {
    RepeatedDrift drift = row.drift();
    return Markdown.row(
        List.of(
            Figures.whole(row.schedules()),
            row.entrant().title(),
            row.round().seconds().stream().map(Object::toString).collect(joining(" + ")),
            Figures.whole(drift.sum(Drift.Outcome::expected)),
            drift.seen(),
            TableFigures.brief(drift.median(Drift.Outcome::p50)),
            TableFigures.brief(row.p99()),
            drift.spread(),
            TableFigures.brief(drift.endP99()),
            TableFigures.brief(drift.most(Drift.Outcome::max)),
            row(row.schedules(), Entrant.CARILLON)
                .filter(ours -> drift.sum(Drift.Outcome::early) == 0)
                .map(ours -> TableFigures.times(row.p99() / ours.p99()))
                .orElse("")));
  }

  private Optional<Row> row(int schedules, Entrant entrant) {
    return rows.stream()
        .filter(row -> row.schedules() == schedules && row.entrant() == entrant)
        .findFirst();
  }

  /** Judge the fires of all repetitions, the lateness of the one in the middle, and the end. */
  private Stream<Promise> promises(Row row) {
    int limit = MAX_P99_MILLIS.getOrDefault(row.schedules(), Integer.MAX_VALUE);
    RepeatedDrift drift = row.drift();
    String every = Figures.whole(row.schedules()) + " schedules every second, ";
    return Stream.of(
        new Promise(every + "fires seen once", "all", drift.seen(), drift.isExact()),
        new Promise(
            every + "p99 of the lateness",
            "at most " + limit + " ms",
            TableFigures.brief(row.p99()) + " ms",
            row(row.schedules(), Entrant.LOCK_AND_FETCH_20)
                .map(
                    peer ->
                        Markdown.peer(
                            peer.entrant().library(),
                            TableFigures.brief(peer.p99()) + " ms",
                            peer.p99() / row.p99()))
                .orElse(""),
            row.p99() <= limit),
        // A late end means that the schedules fall behind.
        new Promise(
            every + "p99 of the lateness in the last ten seconds",
            "at most " + limit + " ms",
            TableFigures.brief(drift.endP99()) + " ms",
            drift.endP99() <= limit));
  }
}
