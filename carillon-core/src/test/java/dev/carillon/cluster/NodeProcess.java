package dev.carillon.cluster;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** A node in a JVM of its own, and what can be done to it. */
final class NodeProcess implements AutoCloseable {
  private final String name;
  private final Process process;
  private final BufferedReader output;
  private final Path log;
  private @Nullable UUID id;
  private @Nullable Process waker;

  private NodeProcess(String name, Process process, Path log) {
    this.name = name;
    this.process = process;
    this.log = log;
    this.output = process.inputReader(StandardCharsets.UTF_8);
  }

  /** Start a node; its log is a file in {@code logs}. */
  static NodeProcess start(String name, Address database, int concurrency, Path logs) {
    var command =
        List.of(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-XX:TieredStopAtLevel=1",
            "-XX:+UseSerialGC",
            "-Xmx128m",
            "-cp",
            System.getProperty("java.class.path"),
            ClusterNode.class.getName(),
            database.url(),
            database.user(),
            database.password(),
            name,
            Integer.toString(concurrency));
    try {
      Path log = logs.resolve(name + ".log");
      return new NodeProcess(
          name, new ProcessBuilder(command).redirectError(log.toFile()).start(), log);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Where nodes find their database. */
  record Address(String url, String user, String password) {}

  String name() {
    return name;
  }

  /** Return what it writes to. */
  Path log() {
    return log;
  }

  /** Return its id as a node; empty until it has started. */
  Optional<UUID> id() {
    try {
      if (id == null && output.ready()) {
        id = UUID.fromString(output.readLine());
      }
      return Optional.ofNullable(id);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Return the last line it wrote, for whoever wonders what it does. */
  String lastWords() {
    try (Stream<String> lines = Files.lines(log)) {
      return lines.reduce((before, last) -> last).orElse("");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  boolean isAlive() {
    return process.isAlive();
  }

  boolean isFrozen() {
    return waker != null;
  }

  /** Kill it as {@code kill -9} does. */
  void kill() {
    process.destroyForcibly().onExit().join();
    thaw();
  }

  /** Stop its clock, so to say: it does nothing until {@link #thaw}, or until we are dead. */
  void freeze() {
    signal("STOP");
    try {
      waker = new ProcessBuilder("sh", "-c", "read -r _; kill -CONT " + process.pid()).start();
    } catch (IOException e) {
      signal("CONT");
      throw new UncheckedIOException(e);
    }
  }

  void thaw() {
    Process waking = waker;
    if (waking != null) {
      waker = null;
      try {
        waking.getOutputStream().close();
      } catch (IOException gone) {
        signal("CONT");
      }
      waking.onExit().join();
    }
  }

  /** Ask it to end in good order, and return whether it did in time. */
  boolean terminate(Duration patience) throws InterruptedException {
    signal("TERM"); // not destroy(), which closes its input first
    return process.waitFor(patience.toMillis(), TimeUnit.MILLISECONDS);
  }

  private void signal(String signal) {
    Signals.send(signal, process.pid());
  }

  @Override
  public void close() {
    kill();
  }
}
