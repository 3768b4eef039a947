package dev.carillon.benchmarks.measure;

import dev.carillon.bench.Contender;
import dev.carillon.benchmarks.contender.Entrant;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/** Measures what an entrant costs while nothing is due. */
public record Idle(Entrant entrant, Database database, int seconds) {
  private static final Duration WARM_UP = Duration.ofSeconds(15);

  /**
   * What was found.
   *
   * @param processPercent of one core, used by the scheduler
   * @param serverPercent of one core, used by PostgreSQL
   * @param alonePercent of one core, used by PostgreSQL before the scheduler started
   * @param residentBytes of the scheduler's process, at the end
   */
  public record Outcome(
      double processPercent, double serverPercent, double alonePercent, long residentBytes) {
    /** Return what is used because of the scheduler. */
    public double percent() {
      return processPercent + Math.max(0, serverPercent - alonePercent);
    }
  }

  Outcome measure() throws InterruptedException {
    var server = ServerTime.of(database);
    rest(); // PostgreSQL still vacuums and writes what the preparations left
    Duration alone = used(server);
    try (var pool = database.pool();
        Contender contender = entrant.open(pool)) {
      contender.start(
          (number, slot, attempt) -> {
            throw new IllegalStateException("nothing was due, and yet something started");
          });
      rest();
      Duration before = used();
      Duration meanwhile = used(server);
      return new Outcome(
          percent(used().minus(before)), percent(meanwhile), percent(alone), residentBytes());
    }
  }

  private static void rest() throws InterruptedException {
    TimeUnit.MILLISECONDS.sleep(WARM_UP.toMillis());
  }

  /** Wait, and return what {@code server} used. */
  private Duration used(ServerTime server) throws InterruptedException {
    Duration before = server.used();
    TimeUnit.SECONDS.sleep(seconds);
    return server.used().minus(before);
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
