package dev.carillon.postgres;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/** A running server process, tied to the life of this one. */
final class Server {
  /* The shell outlives every signal a terminal sends and waits for PostgreSQL, which runs in a
   * session of its own. The lifeline is a pipe from this process: when it closes, because we stop
   * or because we died, PostgreSQL is told to shut down fast, and told again in case it was too
   * young to listen. */
  private static final String GUARD =
      """
      trap '' INT HUP TERM QUIT
      leftover=$1
      shift
      exec 3<&0 </dev/null
      if command -v setsid >/dev/null; then
        setsid "$@" 3<&- &
      else
        set -m
        "$@" 3<&- &
      fi
      postgres=$!
      { read -r _ <&3; while kill -INT "$postgres"; do sleep 1; done; } 2>/dev/null &
      lifeline=$!
      wait "$postgres"
      status=$?
      kill -KILL "$lifeline"
      [ -z "$leftover" ] || rm -rf -- "$leftover"
      exit "$status"
      """;

  private static final byte[] LOOPBACK = {127, 0, 0, 1};
  private static final int ATTEMPTS = 5;
  private static final long LOG_LIMIT = 1_000_000;
  private static final Duration POLL = Duration.ofMillis(20);
  private static final Duration STOP_TIMEOUT = Duration.ofSeconds(30);

  private final Cluster cluster;
  private final Process guard;
  private final int port;

  private Server(Cluster cluster, Process guard, int port) {
    this.cluster = cluster;
    this.guard = guard;
    this.port = port;
  }

  /** Start serving {@code cluster} and wait until it answers. */
  static Server start(Cluster cluster, Consumer<String> progress) {
    try {
      Path log = cluster.folder().log();
      rotate(log);
      progress.accept("starting PostgreSQL " + cluster.binaries().version());
      String complaint = "";
      for (int attempt = 1; attempt <= ATTEMPTS; attempt++) {
        long before = Files.exists(log) ? Files.size(log) : 0;
        Server server = launch(cluster, log);
        if (server.becomesReady()) {
          return server;
        }
        complaint = complaint(log, before);
        if (!passing(complaint)) {
          break;
        }
        TimeUnit.MILLISECONDS.sleep(100L << attempt);
      }
      throw new PostgresException(
          "PostgreSQL did not start: %s; %s tells more".formatted(complaint, log));
    } catch (IOException e) {
      throw new PostgresException("PostgreSQL did not start: " + Reason.of(e), e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new PostgresException("interrupted while starting PostgreSQL", e);
    }
  }

  private static Server launch(Cluster cluster, Path log) throws IOException {
    Optional<Integer> wanted = cluster.purpose().port();
    int port = wanted.isPresent() ? wanted.get() : freePort();
    var command = new ArrayList<>(List.of("sh", "-c", GUARD, "carillon-postgres"));
    command.add(cluster.folder().isTemporary() ? cluster.folder().path().toString() : "");
    command.addAll(cluster.serve(port));
    var builder =
        new ProcessBuilder(cluster.account().running(command))
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()));
    Command.cleanse(builder.environment());
    return new Server(cluster, builder.start(), port);
  }

  private static int freePort() throws IOException {
    try (var socket = new ServerSocket(0, 1, InetAddress.getByAddress(LOOPBACK))) {
      return socket.getLocalPort();
    }
  }

  /** Wait for as long as it lives: recovery after a crash takes the time it takes. */
  private boolean becomesReady() throws InterruptedException {
    try {
      while (!ready()) {
        if (guard.waitFor(POLL.toMillis(), TimeUnit.MILLISECONDS)) {
          return false;
        }
      }
      return true;
    } catch (InterruptedException e) {
      stop();
      throw e;
    }
  }

  private boolean ready() {
    return Postmaster.of(cluster.folder().cluster())
        .filter(postmaster -> postmaster.listensOn(port))
        .isPresent();
  }

  /**
   * Say whether trying again may help: the port was just taken, or children of a killed server
   * linger.
   */
  private static boolean passing(String complaint) {
    return complaint.contains("could not create any TCP/IP sockets")
        || complaint.contains("is still in use");
  }

  private static String complaint(Path log, long from) throws IOException {
    try (var file = new RandomAccessFile(log.toFile(), "r")) {
      file.seek(from);
      byte[] text = new byte[(int) Math.min(file.length() - from, LOG_LIMIT)];
      file.readFully(text);
      return new Command.Answer(1, new String(text, StandardCharsets.UTF_8).lines().toList())
          .complaint();
    }
  }

  private static void rotate(Path log) throws IOException {
    if (Files.exists(log) && Files.size(log) > LOG_LIMIT) {
      Files.move(
          log, log.resolveSibling(log.getFileName() + ".1"), StandardCopyOption.REPLACE_EXISTING);
    }
  }

  int port() {
    return port;
  }

  boolean alive() {
    return guard.isAlive();
  }

  /** Shut down fast and wait for the end, however the server died. Safe to call twice. */
  void stop() {
    boolean interrupted = false;
    try {
      guard.getOutputStream().close();
    } catch (IOException alreadyClosed) {
      // the guard is gone, and the check below is for just that case
    }
    try {
      guard.waitFor(STOP_TIMEOUT.toMillis(), TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      interrupted = true;
    }
    try {
      Postmaster.of(cluster.folder().cluster()).ifPresent(Postmaster::stop);
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }
}
