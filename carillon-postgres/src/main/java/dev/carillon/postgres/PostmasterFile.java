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

/** The content of {@code postmaster.pid}, which describes a cluster's server, running or dead. */
record PostmasterFile(Path cluster, List<String> lines) {
  private static final String FILE = "postmaster.pid";
  private static final int PORT_LINE = 3;
  private static final int STATUS_LINE = 7;
  private static final Duration WAIT_TIMEOUT = Duration.ofSeconds(20);

  /** Larger than any process id, so no process has it. */
  private static final String UNUSED_PID = Integer.toString(Integer.MAX_VALUE);

  static Optional<PostmasterFile> of(Path cluster) {
    try {
      return Optional.of(new PostmasterFile(cluster, Files.readAllLines(cluster.resolve(FILE))));
    } catch (IOException absent) {
      return Optional.empty();
    }
  }

  Optional<Integer> port() {
    boolean ready = lines.size() > STATUS_LINE && lines.get(STATUS_LINE).strip().equals("ready");
    return ready ? Optional.of(Integer.valueOf(lines.get(PORT_LINE).strip())) : Optional.empty();
  }

  /** Return whether the process that wrote this file still serves the cluster. */
  boolean isOfRunningServer() {
    return process().filter(this::servesCluster).isPresent();
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

  /** Stop the server if it runs, and make sure that a new one can start. */
  void stop() {
    Optional<ProcessHandle> process = process();
    if (process.isEmpty()) {
      return; // PostgreSQL cleans up after a dead server, and checks for live child processes
    }
    if (servesCluster(process.get())) {
      terminate(process.get());
    } else {
      replacePid();
    }
  }

  /** Stop it by fast shutdown; if that takes too long, by immediate shutdown; then by SIGKILL. */
  private void terminate(ProcessHandle process) {
    for (String signal : List.of("INT", "QUIT", "KILL")) {
      Command.of("sh", "-c", "kill -" + signal + " " + process.pid()).run();
      if (awaitExit(process)) {
        return;
      }
    }
    throw new PostgresException(
        "an earlier PostgreSQL, process %s, does not stop; end it with kill -9 %s and start again"
            .formatted(process.pid(), process.pid()));
  }

  /** Wait for the exit; a zombie that its parent has not reaped counts as exited. */
  private boolean awaitExit(ProcessHandle process) {
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
   * Replace a process id that now belongs to another program, as is usual in a restarted container.
   * The file is not deleted, since PostgreSQL also uses it to detect children of the dead server
   * that still write.
   */
  private void replacePid() {
    var replaced = new ArrayList<>(lines);
    replaced.set(0, UNUSED_PID);
    try {
      Files.write(cluster.resolve(FILE), replaced);
    } catch (IOException e) {
      throw new PostgresException(
          "%s cannot be written: %s; delete it if no PostgreSQL runs there"
              .formatted(cluster.resolve(FILE), FileErrorText.of(e)),
          e);
    }
  }

  private boolean servesCluster(ProcessHandle process) {
    List<String> arguments = commandLine(process);
    return !arguments.isEmpty()
        && arguments.get(0).endsWith("postgres")
        && arguments.contains(cluster.toString());
  }

  private static List<String> commandLine(ProcessHandle process) {
    try {
      Path line = Path.of("/proc", Long.toString(process.pid()), "cmdline");
      return List.of(new String(Files.readAllBytes(line), StandardCharsets.UTF_8).split("\0", -1));
    } catch (IOException noProc) {
      var found = new ArrayList<String>();
      process.info().command().ifPresent(found::add);
      process.info().arguments().ifPresent(arguments -> found.addAll(List.of(arguments)));
      return found;
    }
  }
}
