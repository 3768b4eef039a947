package dev.carillon.benchmarks.table;

import dev.carillon.bench.Figures;
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
  private static final double SLOWEST_MILLIS = 50;
  private static final double LATEST_MILLIS = 100;

  static ServerTable measure(Arena arena, SuiteEffort effort)
      throws IOException, InterruptedException {
    var progress = new SuiteProgress("server", 1);
    progress.begin(Figures.whole(IDLE) + " schedules, many requests");
    Database database = arena.fresh(Entrant.CARILLON, IDLE);
    Path data = Files.createTempDirectory("carillon-server-load");
    try (var server = ServerProcess.start(database, HEAP, data)) {
      var outcome = new ServerLoad(database, server, IDLE).measure(effort.seconds());
      progress.end("fires p99 " + Figures.brief(outcome.p99Millis()) + " ms late");
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
                Figures.brief(outcome.p99Millis())));
    lines.add("");
    lines.addAll(verdicts());
    return lines;
  }

  private String line(Requests.Outcome requests) {
    return Markdown.row(
        List.of(
            requests.name(),
            Figures.whole(requests.perSecond()),
            Figures.whole(seconds),
            Figures.whole((double) requests.failed()),
            Figures.brief(requests.p50Millis()),
            Figures.brief(requests.p95Millis()),
            Figures.brief(requests.p99Millis()),
            Figures.brief(requests.maxMillis())));
  }

  private List<String> verdicts() {
    var verdicts = new ArrayList<String>();
    for (Requests.Outcome requests : outcome.requests()) {
      verdicts.add(
          Markdown.verdict(
              "%s, %s times a second: p95 at most 50 ms, none failed"
                  .formatted(requests.name(), Figures.whole(requests.perSecond())),
              requests.p95Millis() <= SLOWEST_MILLIS && requests.failed() == 0,
              Figures.brief(requests.p95Millis()) + " ms"));
    }
    verdicts.add(
        Markdown.verdict(
            "meanwhile all of 500 runs a second fire, p99 at most 100 ms late",
            outcome.p99Millis() <= LATEST_MILLIS && outcome.seen() >= outcome.fires(),
            Figures.brief(outcome.p99Millis()) + " ms"));
    return verdicts;
  }
}
