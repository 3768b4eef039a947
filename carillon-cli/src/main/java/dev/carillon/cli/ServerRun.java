package dev.carillon.cli;

import dev.carillon.Version;
import dev.carillon.postgres.PostgresException;
import dev.carillon.server.Server;
import dev.carillon.server.ServerSettings;
import dev.carillon.server.StartException;
import dev.carillon.server.log.Logs;
import dev.carillon.store.jdbc.StoreException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import picocli.CommandLine.ExitCode;

/** A server run from a terminal: prints what it does, and runs until the process is stopped. */
final class ServerRun {
  private static final Duration START_TIMEOUT = Duration.ofSeconds(5);

  private final ServeOutput output;
  private final boolean onTerminal;

  /* Which of the two comes first decides whether the start is announced; guarded by this. */
  private boolean stopping;
  private boolean listening;

  /**
   * Print to {@code output} what happens.
   *
   * @param onTerminal whether only the person who started the server reads that
   */
  ServerRun(ServeOutput output, boolean onTerminal) {
    this.output = output;
    this.onTerminal = onTerminal;
  }

  /** Serve until the process is stopped; return the exit code of a start that failed. */
  int serve(Map<String, String> flags, Map<String, String> environment) {
    long begun = System.nanoTime();
    if (output.isJson()) {
      Logs.useJsonAlone();
    }
    ServerSettings settings;
    try {
      settings = ServerSettings.from(flags, environment);
    } catch (IllegalArgumentException e) {
      return output.fail(ExitCode.USAGE, e);
    }
    Logs.use(settings.log());
    var server = new Server(settings, output::print, onTerminal);
    StopSignals signals = StopSignals.handle();
    Runtime.getRuntime()
        .addShutdownHook(new Thread(() -> stop(server, settings, signals), "carillon-stop"));
    try {
      server.start();
    } catch (StartException | PostgresException | StoreException e) {
      return isStopping() ? waitForExit() : output.fail(ExitCode.SOFTWARE, e);
    } catch (RuntimeException e) {
      return output.failUnexpectedly(ExitCode.SOFTWARE, e);
    }
    announce(server, settings, begun);
    return waitForExit();
  }

  private synchronized boolean isStopping() {
    return stopping;
  }

  private synchronized void announce(Server server, ServerSettings settings, long begun) {
    if (stopping) {
      return;
    }
    listening = true;
    warnIfOpen(settings);
    output.print(
        String.format(
            Locale.ROOT,
            "Carillon %s is listening on %s (ready in %.1f s)",
            Version.current(),
            server.url(),
            (System.nanoTime() - begun) / 1e9));
    server.metricsUrl().ifPresent(url -> output.print("Metrics without a sign-in: " + url));
    output.print("Data: " + server.dataPlace());
    if (onTerminal) {
      output.print("Stop with Ctrl-C");
    }
    output.flush();
  }

  /* Waits for a start under way, which then is undone, but not for ever: a database may never
   * answer. An embedded PostgreSQL stops by itself when this process is gone. */
  private void stop(Server server, ServerSettings settings, StopSignals signals) {
    boolean started;
    synchronized (this) {
      stopping = true;
      started = listening;
    }
    if (started) {
      output.print(stopMessage(server.inHand(), settings.scheduler().drain(), signals));
      output.flush();
    }
    var closing = new Thread(server::close, "carillon-close");
    closing.setDaemon(true);
    closing.start();
    try {
      closing.join(started ? 0 : START_TIMEOUT.toMillis()); // 0: as long as a clean stop takes
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    if (closing.isAlive()) {
      output.warn("gave up waiting for the start under way; it ends with this process");
    } else if (started) {
      output.print("Carillon stopped");
    }
    output.flush();
  }

  private static String stopMessage(int runs, Duration drain, StopSignals signals) {
    String waiting =
        runs == 0
            ? "Stopping"
            : "Stopping: waiting up to %s s for %s %s"
                .formatted(drain.toSeconds(), runs, runs == 1 ? "run" : "runs");
    return signals
        .howToStopAtOnce()
        .map(way -> waiting + "; " + way + " stops at once")
        .orElse(waiting);
  }

  private void warnIfOpen(ServerSettings settings) {
    try {
      boolean local = InetAddress.getByName(settings.host()).isLoopbackAddress();
      if (!local && settings.tls().isEmpty()) {
        output.warn(
            "warning: %s can be reached from other machines, and tokens travel in the clear; see --tls-certificate"
                .formatted(settings.host()));
      }
    } catch (UnknownHostException e) {
      // the start fails on this, and says so
    }
  }

  private static int waitForExit() {
    try {
      new CountDownLatch(1).await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    return ExitCode.OK;
  }
}
