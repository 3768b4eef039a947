package dev.carillon.benchmarks.scale;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/** Measures what an entrant costs while nothing is due. */
record Idle(Entrant entrant, Database database, int seconds) {
  private static final Duration WARM_UP = Duration.ofSeconds(15);

  /**
   * What was found.
   *
   * @param processPercent of one core, used by the scheduler
   * @param serverPercent of one core, used by PostgreSQL
   * @param residentBytes of the scheduler's process, at the end
   */
  record Outcome(double processPercent, double serverPercent, long residentBytes) {
    double percent() {
      return processPercent + serverPercent;
    }
  }

  Outcome measure() throws InterruptedException {
    try (var pool = database.pool();
        Contender contender = entrant.open(pool)) {
      contender.start(
          (number, slot) -> {
            throw new IllegalStateException("nothing was due, and yet something started");
          });
      TimeUnit.MILLISECONDS.sleep(WARM_UP.toMillis());
      var server = ServerTime.of(database);
      Duration serverBefore = server.used();
      Duration before = used();
      TimeUnit.SECONDS.sleep(seconds);
      return new Outcome(
          percent(used().minus(before)),
          percent(server.used().minus(serverBefore)),
          residentBytes());
    }
  }

  private double percent(Duration used) {
    return 100.0 * used.toMillis() / TimeUnit.SECONDS.toMillis(seconds);
  }

  private static Duration used() {
    return ProcessHandle.current().info().totalCpuDuration().orElseThrow();
  }

  private static long residentBytes() {
    try (var lines = Files.lines(Path.of("/proc/self/status"))) {
      return lines
          .filter(line -> line.startsWith("VmRSS:"))
          .mapToLong(line -> 1_024 * Long.parseLong(line.replaceAll("\\D", "")))
          .findFirst()
          .orElseThrow();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
