package dev.carillon.benchmarks.measure;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** The console of a server with many schedules and a month of their runs. */
public final class ConsoleScale {
  private static final List<String> VIEWS =
      List.of(
          "now=now",
          "schedules=schedules",
          "schedules, searched=schedules?q=team-07",
          "schedule=schedule?key=" + ConsoleFill.busyKey(1),
          "editor=editor?key=" + ConsoleFill.key(1),
          "runs=runs",
          "failed runs=runs?state=failed",
          "timeline=timeline",
          "forecast=forecast",
          "dead letters=dead-letters",
          "calendars=calendars",
          "calendar=calendar?name=it",
          "targets=targets",
          "audit=audit",
          "tokens=tokens",
          "workflows=workflows");

  private final Database database;
  private final int schedules;

  private ConsoleScale(Database database, int schedules) {
    this.database = database;
    this.schedules = schedules;
  }

  /**
   * What was found.
   *
   * @param small the answers of a server with little memory
   */
  public record Outcome(
      List<ConsoleCalls.Timing> calls,
      List<ConsoleCalls.Timing> small,
      ConsoleSize.Outcome size,
      ConsoleBrowser.Outcome browser) {}

  /** Fill the tables of {@code database}, which is fresh. */
  public static ConsoleScale fill(Database database, int schedules, int runs)
      throws InterruptedException {
    new ConsoleFill(database, schedules, runs).fill();
    return new ConsoleScale(database, schedules);
  }

  /**
   * Ask the server, and look at its console.
   *
   * @param times how often each request is sent
   * @param seconds for how long the server is left alone, without and with an open console
   */
  public Outcome measure(int times, int seconds) throws IOException, InterruptedException {
    database.settle();
    database.warmUp();
    try (ServerProcess server = start("512m")) {
      List<ConsoleCalls.Timing> calls = new ConsoleCalls(server, schedules).measure(times);
      ConsoleSize.Outcome size = ConsoleSize.measure(server);
      var browser = new ConsoleBrowser(server, seconds).measure(database, VIEWS);
      return new Outcome(calls, answersOfSmallServer(), size, browser);
    }
  }

  private List<ConsoleCalls.Timing> answersOfSmallServer()
      throws IOException, InterruptedException {
    try (ServerProcess server = start("128m")) {
      return new ConsoleCalls(server, schedules).measure(2);
    }
  }

  private ServerProcess start(String heap) throws IOException, InterruptedException {
    Path data = Files.createTempDirectory("carillon-console-scale");
    ServerProcess server = ServerProcess.start(database, heap, data);
    Map<String, Integer> refused = new ConsoleCalls(server, schedules).addTargets();
    if (!refused.isEmpty()) {
      throw new IllegalStateException("targets were refused: " + refused);
    }
    return server;
  }
}
