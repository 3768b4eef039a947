package dev.carillon.benchmarks.measure;

import java.io.BufferedReader;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** {@code carillon serve} in a process of its own, as its users run it. */
public final class ServerProcess implements AutoCloseable {
  /** The administrator's token, which lives as long as the measurement. */
  static final String TOKEN = "crl_only-for-the-time-of-a-benchmark";

  private static final Pattern LISTENING = Pattern.compile("listening on (http://\\S+)");
  private static final long STOP_TIMEOUT_SECONDS = 60;

  private final Process process;
  private final URI address;

  private ServerProcess(Process process, URI address) {
    this.process = process;
    this.address = address;
  }

  /** Serve {@code database} with the jar that the property {@code carillon.jar} names. */
  public static ServerProcess start(Database database, String heap, Path data) throws IOException {
    var builder =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx" + heap,
                "-jar",
                System.getProperty("carillon.jar"),
                "serve",
                "--port",
                "0",
                "--data",
                data.toString(),
                "--database-url",
                database.url())
            .redirectError(ProcessBuilder.Redirect.INHERIT);
    builder.environment().put("CARILLON_DATABASE_USER", database.user());
    builder.environment().put("CARILLON_DATABASE_PASSWORD", database.password());
    builder.environment().put("CARILLON_ADMIN_TOKEN", TOKEN);
    Process process = builder.start();
    return new ServerProcess(process, address(process));
  }

  private static URI address(Process process) throws IOException {
    BufferedReader output = process.inputReader(StandardCharsets.UTF_8);
    for (String line = output.readLine(); line != null; line = output.readLine()) {
      Matcher listening = LISTENING.matcher(line);
      if (listening.find()) {
        return URI.create(listening.group(1));
      }
    }
    throw new IllegalStateException("the server ended before it listened");
  }

  /** Return where {@code path} of the API is. */
  URI api(String path) {
    return address.resolve("/api/v1" + path);
  }

  /** Return where it listens. */
  String address() {
    return address.toString();
  }

  /** Return the processor time it has used. */
  Duration used() {
    return process.info().totalCpuDuration().orElseThrow();
  }

  @Override
  public void close() {
    process.toHandle().destroy();
    try {
      if (!process.waitFor(STOP_TIMEOUT_SECONDS, TimeUnit.SECONDS)) {
        process.destroyForcibly();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
