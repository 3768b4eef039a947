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

/** A running PostgreSQL process that ends when this process ends. */
final class PostgresProcess {
  /* The shell ignores the signals of a terminal and waits for PostgreSQL, which runs in a session
   * of its own. The lifeline reads a pipe from this process: when that closes, because we stop or
   * because we died, it sends PostgreSQL SIGINT for a fast shutdown, and repeats it in case
   * PostgreSQL had not yet installed its signal handler. */
  private static final String SUPERVISOR =
      """
      trap '' INT HUP TERM QUIT
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
      exit "$status"
      """;

  /* Deletes a folder when what it runs has ended. It has the account of this process: that of
   * PostgreSQL may not be allowed to delete what is in a folder of others. */
  private static final String DELETING =
      """
      trap '' INT HUP TERM QUIT
      leftover=$1
      shift
      "$@"
      status=$?
      rm -rf -- "$leftover"
      exit "$status"
      """;

  private static final byte[] LOOPBACK = {127, 0, 0, 1};
  private static final int MAX_ATTEMPTS = 5;
  private static final long LOG_LIMIT = 1_000_000;
  private static final Duration POLL_INTERVAL = Duration.ofMillis(20);
  private static final Duration STOP_TIMEOUT = Duration.ofSeconds(30);

  private final PostgresCluster cluster;
  private final Process supervisor;
  private final int port;

  private PostgresProcess(PostgresCluster cluster, Process supervisor, int port) {
    this.cluster = cluster;
    this.supervisor = supervisor;
    this.port = port;
  }

  /** Start a server on {@code cluster} and wait until it is ready. */
  static PostgresProcess start(PostgresCluster cluster, Consumer<String> progress) {
    try {
      Path log = cluster.folder().log();
      rotate(log);
      progress.accept("starting PostgreSQL " + cluster.binaries().version());
      String errorLine = "";
      for (int attempt = 1; attempt <= MAX_ATTEMPTS; attempt++) {
        long logSize = Files.exists(log) ? Files.size(log) : 0;
        PostgresProcess postgresProcess = launch(cluster, log);
        if (postgresProcess.becomesReady()) {
          return postgresProcess;
        }
        errorLine = errorLine(log, logSize);
        if (!isTransient(errorLine)) {
          break;
        }
        TimeUnit.MILLISECONDS.sleep(100L << attempt);
      }
      throw new PostgresException(
          "PostgreSQL did not start: %s; %s tells more".formatted(errorLine, log));
    } catch (IOException e) {
      throw new PostgresException("PostgreSQL did not start: " + FileErrorText.of(e), e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new PostgresException("interrupted while starting PostgreSQL", e);
    }
  }

  private static PostgresProcess launch(PostgresCluster cluster, Path log) throws IOException {
    Optional<Integer> wanted = cluster.profile().port();
    int port = wanted.isPresent() ? wanted.get() : freePort();
    var supervised = new ArrayList<>(List.of("sh", "-c", SUPERVISOR, "carillon-postgres"));
    supervised.addAll(cluster.serverCommand(port));
    var command = new ArrayList<String>();
    if (cluster.folder().isTemporary()) {
      String leftover = cluster.folder().path().toString();
      command.addAll(List.of("sh", "-c", DELETING, "carillon-postgres", leftover));
    }
    command.addAll(cluster.account().runAs(supervised));
    var builder =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()));
    Command.cleanEnvironment(builder.environment());
    return new PostgresProcess(cluster, builder.start(), port);
  }

  private static int freePort() throws IOException {
    try (var socket = new ServerSocket(0, 1, InetAddress.getByAddress(LOOPBACK))) {
      return socket.getLocalPort();
    }
  }

  /** Wait without a timeout while the process lives, since crash recovery may take long. */
  private boolean becomesReady() throws InterruptedException {
    try {
      while (!ready()) {
        if (supervisor.waitFor(POLL_INTERVAL.toMillis(), TimeUnit.MILLISECONDS)) {
          return false;
        }
      }
      return true;
    } catch (InterruptedException e) {
      stop();
      throw e;
    }
  }

  /* The file may still be that of an earlier server, which had the same port and has died. */
  private boolean ready() {
    return PostmasterFile.of(cluster.folder().cluster())
        .filter(PostmasterFile::isOfRunningServer)
        .flatMap(PostmasterFile::port)
        .equals(Optional.of(port));
  }

  /**
   * Return whether another attempt may succeed: the port was just taken, or children of a killed
   * server still run.
   */
  private static boolean isTransient(String errorLine) {
    return errorLine.contains("could not create any TCP/IP sockets")
        || errorLine.contains("is still in use");
  }

  private static String errorLine(Path log, long from) throws IOException {
    try (var file = new RandomAccessFile(log.toFile(), "r")) {
      file.seek(from);
      byte[] text = new byte[(int) Math.min(file.length() - from, LOG_LIMIT)];
      file.readFully(text);
      return new Command.Answer(1, new String(text, StandardCharsets.UTF_8).lines().toList())
          .errorLine();
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
    return supervisor.isAlive();
  }

  /** Do {@code work} on another thread once the server has ended. */
  void onExit(Runnable work) {
    var watch =
        new Thread(
            () -> {
              supervisor.onExit().join();
              work.run();
            },
            "carillon-postgres");
    watch.setDaemon(true);
    watch.start();
  }

  /** Shut down fast and wait until the server has ended. Safe to call twice. */
  void stop() {
    boolean interrupted = false;
    try {
      supervisor.getOutputStream().close();
    } catch (IOException alreadyClosed) {
      // the supervisor has exited; the check below handles that
    }
    try {
      supervisor.waitFor(STOP_TIMEOUT.toMillis(), TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      interrupted = true;
    }
    try {
      PostmasterFile.of(cluster.folder().cluster()).ifPresent(PostmasterFile::stop);
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }
}
