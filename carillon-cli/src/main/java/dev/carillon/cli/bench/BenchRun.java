package dev.carillon.cli.bench;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import dev.carillon.bench.BenchException;
import dev.carillon.bench.Progress;
import dev.carillon.cli.console.CommandFailure;
import dev.carillon.cli.console.Terminal;
import dev.carillon.cli.console.TerminalWriter;
import dev.carillon.postgres.PostgresException;
import dev.carillon.server.StartException;
import dev.carillon.store.jdbc.StoreException;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import org.slf4j.LoggerFactory;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Help.Ansi;

/** A bench run from a terminal: prints what it does and finds, and leaves nothing behind. */
final class BenchRun {
  private static final int PROMISE_BROKEN = 3;
  private static final Duration CLEANUP_TIMEOUT = Duration.ofSeconds(60);

  private final PrintWriter out;
  private final PrintWriter err;
  private volatile boolean stopping;

  BenchRun(PrintWriter out, PrintWriter err) {
    this.out = out;
    this.err = err;
  }

  void bench(BenchRequest request, Map<String, String> environment) {
    Set<Measure> measures;
    Effort effort;
    Site site;
    try {
      measures = request.wanted();
      effort = request.effort();
      site = request.site(environment);
    } catch (IllegalArgumentException e) {
      throw new CommandFailure(ExitCode.USAGE, e);
    }
    // A million schedules would be a million lines; the bench itself reports what goes wrong.
    ((Logger) LoggerFactory.getLogger("dev.carillon")).setLevel(Level.OFF);
    var progress =
        new Progress(err, Terminal.ofThisProcess(environment).isErr(), TerminalWriter.ERASE_LINE);
    var hook = new Thread(() -> stop(site, progress), "carillon-stop");
    Runtime.getRuntime().addShutdownHook(hook);
    Report report;
    try {
      report = measure(site, new Bench(site, effort, progress), measures, request, progress);
    } finally {
      forget(hook);
    }
    if (!report.broken().isEmpty()) {
      throw new CommandFailure(
          PROMISE_BROKEN,
          new IllegalStateException(
              "A PROMISE WAS BROKEN, please report it with all of the above: "
                  + String.join("; ", report.broken())));
    }
  }

  private Report measure(
      Site site, Bench bench, Set<Measure> measures, BenchRequest request, Progress progress) {
    try (site) {
      site.open(progress);
      Report report = bench.run(measures);
      progress.clear();
      print(report, request.json());
      return report;
    } catch (BenchException | StartException | PostgresException | StoreException e) {
      awaitTheEndIfStopping();
      progress.clear();
      for (Throwable left : e.getSuppressed()) {
        say(String.valueOf(left.getMessage()));
      }
      throw new CommandFailure(ExitCode.SOFTWARE, e);
    } catch (RuntimeException e) {
      awaitTheEndIfStopping();
      throw e;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new CommandFailure(ExitCode.SOFTWARE, e);
    }
  }

  private void print(Report report, boolean json) {
    if (json) {
      ReportJson.print(report, out);
    } else {
      new ReportText(out, Ansi.AUTO.enabled()).print(report);
    }
  }

  /* Not for ever: a server that does not answer may be the reason for the stop. */
  private void stop(Site site, Progress progress) {
    stopping = true;
    progress.silence();
    var closing = new Thread(() -> close(site), "carillon-close");
    closing.setDaemon(true);
    closing.start();
    try {
      closing.join(CLEANUP_TIMEOUT.toMillis());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    if (closing.isAlive()) {
      say("gave up waiting for the server; the next bench there tells what is left");
    }
  }

  private void close(Site site) {
    try {
      site.close();
      say("stopped, and nothing is left behind");
    } catch (RuntimeException e) {
      say(String.valueOf(e.getMessage()));
    }
  }

  private void say(String line) {
    err.println("carillon: " + line);
    err.flush();
  }

  /* Failures while the databases are being dropped are expected. */
  private void awaitTheEndIfStopping() {
    if (stopping) {
      try {
        new CountDownLatch(1).await();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }
  }

  private void forget(Thread hook) {
    awaitTheEndIfStopping();
    try {
      Runtime.getRuntime().removeShutdownHook(hook);
    } catch (IllegalStateException e) {
      awaitTheEndIfStopping(); // asked to stop at the very end
    }
  }
}
