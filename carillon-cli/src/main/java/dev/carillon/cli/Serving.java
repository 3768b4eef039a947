package dev.carillon.cli;

import dev.carillon.Version;
import dev.carillon.cli.console.CommandFailure;
import dev.carillon.postgres.PostgresException;
import dev.carillon.server.Server;
import dev.carillon.server.ServerSettings;
import dev.carillon.server.StartException;
import dev.carillon.store.StoreException;
import java.io.PrintWriter;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import picocli.CommandLine.ExitCode;

/** A server run from a terminal: tells what it does, and runs until the process is stopped. */
final class Serving {
  /** How long a stop waits for a start under way. */
  private static final Duration PATIENCE = Duration.ofSeconds(5);

  private final PrintWriter out;
  private final PrintWriter err;

  /* Which of the two comes first decides whether the start is announced; guarded by this. */
  private boolean stopping;
  private boolean listening;

  Serving(PrintWriter out, PrintWriter err) {
    this.out = out;
    this.err = err;
  }

  void serve(Map<String, String> flags, Map<String, String> environment) {
    long begun = System.nanoTime();
    ServerSettings settings = settings(flags, environment);
    var server = new Server(settings, out::println);
    Runtime.getRuntime().addShutdownHook(new Thread(() -> stop(server), "carillon-stop"));
    try {
      server.start();
    } catch (StartException | PostgresException | StoreException e) {
      throw new CommandFailure(ExitCode.SOFTWARE, e);
    }
    announce(server, settings, begun);
    awaitTheEnd();
  }

  private synchronized void announce(Server server, ServerSettings settings, long begun) {
    if (stopping) {
      return;
    }
    listening = true;
    warnIfOpen(settings);
    out.printf(
        Locale.ROOT,
        "Carillon %s is listening on %s (ready in %.1f s)%n",
        Version.current(),
        server.url(),
        (System.nanoTime() - begun) / 1e9);
    out.println("Data: " + server.dataPlace());
    out.println("Stop with Ctrl-C");
  }

  private static ServerSettings settings(
      Map<String, String> flags, Map<String, String> environment) {
    try {
      return ServerSettings.from(flags, environment);
    } catch (IllegalArgumentException e) {
      throw new CommandFailure(ExitCode.USAGE, e);
    }
  }

  /* Waits for a start under way, which then is undone, but not for ever: a database may never
   * answer. An embedded PostgreSQL stops by itself when this process is gone. */
  private void stop(Server server) {
    boolean started;
    synchronized (this) {
      stopping = true;
      started = listening;
    }
    var closing = new Thread(server::close, "carillon-close");
    closing.setDaemon(true);
    closing.start();
    try {
      closing.join(started ? 0 : PATIENCE.toMillis()); // 0: as long as a clean stop takes
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    if (closing.isAlive()) {
      err.println("carillon: gave up waiting for the start under way; it ends with this process");
    } else if (started) {
      out.println("Carillon stopped");
    }
    out.flush();
  }

  private void warnIfOpen(ServerSettings settings) {
    try {
      boolean local = InetAddress.getByName(settings.host()).isLoopbackAddress();
      if (!local && settings.tls().isEmpty()) {
        err.println(
            "carillon: warning: %s can be reached from other machines, and tokens travel in the clear; see --tls-certificate"
                .formatted(settings.host()));
      }
    } catch (UnknownHostException e) {
      // told by the start, which needs the address
    }
  }

  private static void awaitTheEnd() {
    try {
      new CountDownLatch(1).await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
