package dev.carillon.postgres;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * What the file {@code postmaster.pid} says about the server of a cluster, which may be long dead.
 */
record Postmaster(Path cluster, List<String> lines) {
  private static final String FILE = "postmaster.pid";
  private static final int PORT_LINE = 3;
  private static final int STATUS_LINE = 7;
  private static final Duration WAIT_TIMEOUT = Duration.ofSeconds(20);

  /** Larger than any process id, so it belongs to nobody. */
  private static final String NOBODY = Integer.toString(Integer.MAX_VALUE);

  /** Read the file of {@code cluster}, if there is one. */
  static Optional<Postmaster> of(Path cluster) {
    try {
      return Optional.of(new Postmaster(cluster, Files.readAllLines(cluster.resolve(FILE))));
    } catch (IOException absent) {
      return Optional.empty();
    }
  }

  /** Say whether the server answers on {@code port}, which tells it from its predecessors. */
  boolean listensOn(int port) {
    return lines.size() > STATUS_LINE
        && lines.get(PORT_LINE).strip().equals(Integer.toString(port))
        && lines.get(STATUS_LINE).strip().equals("ready");
  }

  /** Return the port of a server that is ready. */
  Optional<Integer> port() {
    boolean ready = lines.size() > STATUS_LINE && lines.get(STATUS_LINE).strip().equals("ready");
    return ready ? Optional.of(Integer.valueOf(lines.get(PORT_LINE).strip())) : Optional.empty();
  }

  private Optional<ProcessHandle> process() {
    try {
      return lines.isEmpty()
          ? Optional.empty()
          : ProcessHandle.of(Long.parseLong(lines.get(0).strip()));
    } catch (NumberFormatException e) {
      return Optional.empty();
    }
  }

  /** Make sure that no server runs on the cluster and that a new one may. */
  void stop() {
    Optional<ProcessHandle> process = process();
    if (process.isEmpty()) {
      return; // PostgreSQL clears up after a dead one, and looks for survivors among its children
    }
    if (servesCluster(process.get())) {
      end(process.get());
    } else {
      disown();
    }
  }

  /** Stop it fast; if that takes too long, at once; and if that fails too, by force. */
  private void end(ProcessHandle process) {
    for (String signal : List.of("INT", "QUIT", "KILL")) {
      Command.of("sh", "-c", "kill -" + signal + " " + process.pid()).run();
      if (ends(process)) {
        return;
      }
    }
    throw new PostgresException(
        "an earlier PostgreSQL, process %s, does not stop; end it with kill -9 %s and start again"
            .formatted(process.pid(), process.pid()));
  }

  /** Wait for the end, which a zombie that nobody buries has reached too. */
  private boolean ends(ProcessHandle process) {
    long deadline = System.nanoTime() + WAIT_TIMEOUT.toNanos();
    try {
      while (process.isAlive() && servesCluster(process)) {
        if (System.nanoTime() > deadline) {
          return false;
        }
        TimeUnit.MILLISECONDS.sleep(20);
      }
      return true;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new PostgresException("interrupted while stopping an earlier PostgreSQL", e);
    }
  }

  /**
   * Free the cluster from a process id that now belongs to another program, as is usual in a
   * restarted container. Deleting the file would do it too, but PostgreSQL also reads there whether
   * children of the dead server are still writing.
   */
  private void disown() {
    var freed = new ArrayList<>(lines);
    freed.set(0, NOBODY);
    try {
      Files.write(cluster.resolve(FILE), freed);
    } catch (IOException e) {
      throw new PostgresException(
          "%s cannot be written: %s; delete it if no PostgreSQL runs there"
              .formatted(cluster.resolve(FILE), Reason.of(e)),
          e);
    }
  }

  private boolean servesCluster(ProcessHandle process) {
    List<String> words = words(process);
    return !words.isEmpty()
        && words.get(0).endsWith("postgres")
        && words.contains(cluster.toString());
  }

  private static List<String> words(ProcessHandle process) {
    try {
      Path line = Path.of("/proc", Long.toString(process.pid()), "cmdline");
      return List.of(new String(Files.readAllBytes(line), StandardCharsets.UTF_8).split("\0", -1));
    } catch (IOException noProc) {
      var words = new ArrayList<String>();
      process.info().command().ifPresent(words::add);
      process.info().arguments().ifPresent(arguments -> words.addAll(List.of(arguments)));
      return words;
    }
  }
}
