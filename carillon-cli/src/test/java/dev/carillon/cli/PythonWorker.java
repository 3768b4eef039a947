package dev.carillon.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;

/** The worker of the examples, running in a process of its own. */
final class PythonWorker implements AutoCloseable {
  static final Path PROGRAM = Path.of("../examples/worker.py");

  private final Process process;
  private final List<String> out = new CopyOnWriteArrayList<>();
  private final Thread reader = new Thread(this::read, "worker-output");

  private PythonWorker(Process process) {
    this.process = process;
    reader.setDaemon(true);
    reader.start();
  }

  static PythonWorker start(String url, String token, String leaseSeconds, String target)
      throws IOException {
    var builder = new ProcessBuilder("python3", PROGRAM.toString(), target);
    builder.environment().put("CARILLON_SERVER", url);
    builder.environment().put("CARILLON_TOKEN", token);
    builder.environment().put("WORKER_LEASE", leaseSeconds);
    return new PythonWorker(builder.redirectErrorStream(true).start());
  }

  private void read() {
    try (var text =
        new BufferedReader(
            new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
      text.lines().forEach(out::add);
    } catch (IOException | UncheckedIOException e) {
      out.add(e.toString());
    }
  }

  List<String> out() {
    return List.copyOf(out);
  }

  /** Return the runs it says it did. */
  List<String> did() {
    return out().stream()
        .filter(line -> line.startsWith("did "))
        .map(line -> line.substring(4))
        .toList();
  }

  /** Send it a signal, such as {@code STOP}. */
  void signal(String name) throws IOException, InterruptedException {
    new ProcessBuilder("kill", "-" + name, String.valueOf(process.pid())).start().waitFor();
  }

  /** Ask it to stop and return its exit code. */
  int terminate() throws IOException, InterruptedException {
    signal("TERM");
    return exit();
  }

  /**
   * Wait for its end and return its exit code. It is told to stop once only: an interpreter that is
   * about to end no longer handles signals, and a second one would kill it.
   */
  int exit() throws InterruptedException {
    assertThat(process.waitFor(60, TimeUnit.SECONDS)).as("has ended: %s", out).isTrue();
    reader.join();
    return process.exitValue();
  }

  @Override
  public void close() {
    process.destroyForcibly();
  }
}
