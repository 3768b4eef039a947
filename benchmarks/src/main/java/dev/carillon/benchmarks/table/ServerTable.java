package dev.carillon.benchmarks.table;

import dev.carillon.bench.Figures;
import dev.carillon.benchmarks.Promise;
import dev.carillon.benchmarks.contender.Entrant;
import dev.carillon.benchmarks.measure.Arena;
import dev.carillon.benchmarks.measure.Database;
import dev.carillon.benchmarks.measure.Requests;
import dev.carillon.benchmarks.measure.ServerLoad;
import dev.carillon.benchmarks.measure.ServerProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** How fast the server answers while it fires. */
record ServerTable(int idle, int seconds, ServerLoad.Outcome outcome) {
  private static final String HEAP = "512m";
  private static final int IDLE = 100_000;
  private static final double MAX_P95_MILLIS = 50;
  private static final double MAX_P99_MILLIS = 100;

  static ServerTable measure(Arena arena, SuiteEffort effort)
      throws IOException, InterruptedException {
    var progress = new SuiteProgress("server", 1);
    progress.begin(Figures.whole(IDLE) + " schedules, many requests");
    Database database = arena.fresh(Entrant.CARILLON, IDLE);
    Path data = Files.createTempDirectory("carillon-server-load");
    try (var server = ServerProcess.start(database, HEAP, data)) {
      var outcome = new ServerLoad(database, server, IDLE).measure(effort.seconds());
      progress.end("fires p99 " + TableFigures.brief(outcome.p99Millis()) + " ms late");
      return new ServerTable(IDLE, effort.seconds(), outcome);
    }
  }

  List<String> lines() {
    var lines =
        new ArrayList<>(
            Markdown.head(
                1,
                List.of(
                    Figures.whole(idle) + " schedules, -Xmx" + HEAP,
                    "requests/s",
                    "for s",
                    "failed",
                    "p50 ms",
                    "p95 ms",
                    "p99 ms",
                    "max ms")));
    outcome.requests().forEach(requests -> lines.add(line(requests)));
    lines.add("");
    lines.add(
        "Meanwhile %s of %s slots fired, p99 %s ms late."
            .formatted(
                Figures.whole((double) outcome.seen()),
                Figures.whole((double) outcome.fires()),
                TableFigures.brief(outcome.p99Millis())));
    lines.add("");
    promises().forEach(promise -> lines.add(promise.line()));
    return lines;
  }

  private String line(Requests.Outcome requests) {
    return Markdown.row(
        List.of(
            requests.name(),
            Figures.whole(requests.perSecond()),
            Figures.whole(seconds),
            Figures.whole((double) requests.failed()),
            TableFigures.brief(requests.p50Millis()),
            TableFigures.brief(requests.p95Millis()),
            TableFigures.brief(requests.p99Millis()),
            TableFigures.brief(requests.maxMillis())));
  }

  private List<Promise> promises() {
    var promises = new ArrayList<Promise>();
    for (Requests.Outcome requests : outcome.requests()) {
      promises.add(
          new Promise(
              "%s, %s times a second, p95"
                  .formatted(requests.name(), Figures.whole(requests.perSecond())),
              "at most " + Figures.whole(MAX_P95_MILLIS) + " ms, none failed",
              "%s ms, %s failed"
                  .formatted(
                      TableFigures.brief(requests.p95Millis()),
                      Figures.whole((double) requests.failed())),
              requests.p95Millis() <= MAX_P95_MILLIS && requests.failed() == 0));
    }
    promises.add(
        new Promise(
            "p99 of the lateness of 500 fires a second meanwhile",
            "at most " + Figures.whole(MAX_P99_MILLIS) + " ms, all fires seen",
            "%s ms, %s seen"
                .formatted(
                    TableFigures.brief(outcome.p99Millis()),
                    TableFigures.percent((double) outcome.seen(), (double) outcome.fires())),
            outcome.p99Millis() <= MAX_P99_MILLIS && outcome.seen() >= outcome.fires()));
    return promises;
  }
}
