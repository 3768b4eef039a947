package dev.carillon.benchmarks.measure;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * The console in a browser, by the class {@code ViewTimes} of the console's tests: how long views
 * take to show, and what the server uses meanwhile.
 */
public final class ConsoleBrowser {
  private final ServerProcess server;
  private final int seconds;

  ConsoleBrowser(ServerProcess server, int seconds) {
    this.server = server;
    this.seconds = seconds;
  }

  /**
   * What was found.
   *
   * @param millis how long each view took to show; empty if no browser is installed
   * @param alonePercent how much of a core the server used before; that of PostgreSQL included
   * @param openPercent how much it used while the first view was open
   */
  public record Outcome(Map<String, Double> millis, double alonePercent, double openPercent) {
    /** Return how much more it used because of the open console. */
    public double morePercent() {
      return Math.max(0, openPercent - alonePercent);
    }
  }

  /** Open each of {@code views}, written as {@code ViewTimes} takes them. */
  public Outcome measure(Database database, List<String> views)
      throws IOException, InterruptedException {
    ServerTime postgres = ServerTime.of(database);
    double alone = percent(postgres, () -> TimeUnit.SECONDS.sleep(seconds));
    Process process = start(views);
    var millis = new LinkedHashMap<String, Double>();
    double open = 0;
    try (BufferedReader output = process.inputReader(StandardCharsets.UTF_8)) {
      for (String line = output.readLine(); line != null; line = output.readLine()) {
        if (line.equals("staying")) {
          open = percent(postgres, output::readLine);
        } else if (line.contains("\t")) {
          String[] found = line.split("\t", -1);
          millis.put(found[0], Double.parseDouble(found[1]));
        }
      }
    }
    process.waitFor();
    return new Outcome(millis, alone, millis.isEmpty() ? Double.NaN : open);
  }

  private Process start(List<String> views) throws IOException {
    Path tests = Path.of("console-tests", "target");
    String classpath =
        tests.resolve("test-classes") + ":" + Files.readString(tests.resolve("classpath")).strip();
    var command =
        new ArrayList<>(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx256m",
                "-cp",
                classpath,
                "dev.carillon.console.browser.ViewTimes",
                server.address(),
                ServerProcess.TOKEN,
                String.valueOf(seconds)));
    command.addAll(views);
    return new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
  }

  private double percent(ServerTime postgres, Rest rest) throws IOException, InterruptedException {
    Duration before = server.used().plus(postgres.used());
    long start = System.nanoTime();
    rest.last();
    double nanos = System.nanoTime() - start;
    return 100 * server.used().plus(postgres.used()).minus(before).toNanos() / nanos;
  }

  /** Something that lasts. */
  private interface Rest {
    void last() throws IOException, InterruptedException;
  }
}
