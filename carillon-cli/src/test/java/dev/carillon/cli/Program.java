package dev.carillon.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The packaged jar, running in a process of its own. */
final class Program implements AutoCloseable {
  private static final int TIMEOUT_SECONDS = 120;
  private static final Pattern LISTENING = Pattern.compile("listening on (http://\\S+)");

  private static final List<String> INTERRUPTIBLE = interruptible();

  private final Process process;
  private final List<String> out = new CopyOnWriteArrayList<>();
  private final List<String> err = new CopyOnWriteArrayList<>();
  private final CompletableFuture<String> url = new CompletableFuture<>();
  private final List<Thread> readers = new ArrayList<>();

  private Program(Process process) {
    this.process = process;
    readers.add(read(process.getInputStream(), out));
    readers.add(read(process.getErrorStream(), err));
  }

  /* A build that a shell runs in the background ignores Ctrl-C, and so does every JVM it starts. */
  private static List<String> interruptible() {
    var words = List.of("env", "--default-signal=INT");
    try {
      var probe = new ArrayList<>(words);
      probe.add("true");
      return new ProcessBuilder(probe).start().waitFor() == 0 ? words : List.of();
    } catch (IOException | InterruptedException none) {
      return List.of();
    }
  }

  static Program start(String... arguments) {
    return start(Map.of(), arguments);
  }

  static Program start(Map<String, String> environment, String... arguments) {
    return start(List.of(), environment, arguments);
  }

  /** Start it with more options for the JVM. */
  static Program start(List<String> options, Map<String, String> environment, String... arguments) {
    var command = new ArrayList<>(INTERRUPTIBLE);
    command.addAll(
        List.of(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-XX:TieredStopAtLevel=1",
            "-XX:+UseSerialGC"));
    command.addAll(options);
    command.addAll(List.of("-jar", System.getProperty("carillon.jar")));
    command.addAll(List.of(arguments));
    var builder = new ProcessBuilder(command);
    builder.environment().keySet().removeIf(name -> name.startsWith("CARILLON_"));
    builder.environment().putAll(environment);
    try {
      return new Program(builder.start());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Wait until it listens and return where; fail with its output if it ends before. */
  String url() throws Exception {
    try {
      return url.get(TIMEOUT_SECONDS, TimeUnit.SECONDS);
    } catch (Exception e) {
      throw new AssertionError("not listening: out %s, err %s".formatted(out, err), e);
    }
  }

  HttpResponse<String> get(String path) throws Exception {
    return HttpClient.newHttpClient()
        .send(HttpRequest.newBuilder(URI.create(url() + path)).build(), BodyHandlers.ofString());
  }

  /** Wait until it ends and return its exit code. */
  int exitCode() throws InterruptedException {
    assertThat(process.waitFor(TIMEOUT_SECONDS, TimeUnit.SECONDS)).as("has ended").isTrue();
    for (Thread reader : readers) {
      reader.join();
    }
    return process.exitValue();
  }

  /** Ask it to stop, as an orchestrator does, and return its exit code. */
  int terminate() throws InterruptedException {
    askToStop();
    return exitCode();
  }

  /** Ask it to stop, as an orchestrator does. */
  void askToStop() {
    process.toHandle().destroy(); // Process.destroy would also close what it still has to say
  }

  boolean isAlive() {
    return process.isAlive();
  }

  /** Interrupt it, as Ctrl-C does, and return its exit code. */
  int interrupt() throws IOException, InterruptedException {
    signal("INT");
    return exitCode();
  }

  /** Send it a signal. */
  void signal(String name) throws IOException, InterruptedException {
    new ProcessBuilder("kill", "-" + name, String.valueOf(process.pid())).start().waitFor();
  }

  /** Wait until it says {@code part} on stderr; fail with its output if it ends before. */
  void awaitErr(String part) throws InterruptedException {
    await(err, part);
  }

  /** Wait until it says {@code part} on stdout; fail with its output if it ends before. */
  void awaitOut(String part) throws InterruptedException {
    await(out, part);
  }

  private void await(List<String> lines, String part) throws InterruptedException {
    long begun = System.nanoTime();
    synchronized (lines) {
      while (lines.stream().noneMatch(line -> line.contains(part))) {
        assertThat(process.isAlive()).as("lives: out %s, err %s", out, err).isTrue();
        assertThat(Duration.ofNanos(System.nanoTime() - begun))
            .as("until it says \"%s\": out %s, err %s", part, out, err)
            .isLessThan(Duration.ofSeconds(TIMEOUT_SECONDS));
        lines.wait(100);
      }
    }
  }

  /** End it without a chance to clean up. */
  void kill() throws InterruptedException {
    process.toHandle().destroyForcibly();
    exitCode();
  }

  long pid() {
    return process.pid();
  }

  List<String> out() {
    return List.copyOf(out);
  }

  List<String> err() {
    return List.copyOf(err);
  }

  private Thread read(InputStream stream, List<String> lines) {
    var reader = new Thread(() -> copy(stream, lines), "program-output");
    reader.setDaemon(true);
    reader.start();
    return reader;
  }

  private void copy(InputStream stream, List<String> lines) {
    try (var text = new BufferedReader(new InputStreamReader(stream, StandardCharsets.UTF_8))) {
      for (String line = text.readLine(); line != null; line = text.readLine()) {
        synchronized (lines) {
          lines.add(line);
          lines.notifyAll();
        }
        Matcher listening = LISTENING.matcher(line);
        if (listening.find()) {
          url.complete(listening.group(1));
        }
      }
    } catch (IOException e) {
      lines.add(e.toString());
    }
    if (lines == out) {
      url.completeExceptionally(new IOException("the program ended"));
    }
  }

  @Override
  public void close() {
    process.destroy();
    try {
      if (!process.waitFor(TIMEOUT_SECONDS, TimeUnit.SECONDS)) {
        process.destroyForcibly();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
