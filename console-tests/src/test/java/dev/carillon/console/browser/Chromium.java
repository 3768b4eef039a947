package dev.carillon.console.browser;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.stream.Stream;

/** A browser without a window, with a profile of its own. */
final class Chromium implements AutoCloseable {
  private static final List<String> PLACES =
      List.of("/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome");

  private final Process process;
  private final Path profile;
  private final String address;
  private final HttpClient client = HttpClient.newHttpClient();

  private Chromium(Process process, Path profile, String address) {
    this.process = process;
    this.profile = profile;
    this.address = address;
  }

  /** Return where a browser is installed, if one is. */
  static Optional<Path> installed() {
    return PLACES.stream().map(Path::of).filter(Files::isExecutable).findFirst();
  }

  static Chromium start() {
    try {
      Path profile = Files.createTempDirectory("console-browser");
      Process process =
          new ProcessBuilder(
                  installed().orElseThrow().toString(),
                  "--headless=new",
                  "--no-sandbox",
                  "--disable-gpu",
                  "--disable-quic",
                  "--no-first-run",
                  "--disable-background-networking",
                  "--disable-component-update",
                  "--disable-sync",
                  "--disable-dev-shm-usage",
                  "--hide-scrollbars",
                  "--remote-debugging-port=0",
                  "--user-data-dir=" + profile,
                  "about:blank")
              .redirectErrorStream(true)
              .redirectOutput(profile.resolve("log").toFile())
              .start();
      return new Chromium(process, profile, "http://127.0.0.1:" + port(process, profile));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /* The browser writes its port into this file when it is ready. */
  private static String port(Process process, Path profile) throws IOException {
    Path file = profile.resolve("DevToolsActivePort");
    return Waiting.until(
        "the browser is ready",
        () -> {
          if (!process.isAlive()) {
            throw new AssertionError("the browser ended: " + read(profile.resolve("log")));
          }
          return Files.exists(file)
              ? read(file).lines().findFirst().filter(line -> !line.isBlank())
              : Optional.empty();
        });
  }

  private static String read(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Open a tab with cookies and storage of its own. */
  DevTools tab(BiConsumer<String, JsonNode> events) {
    try {
      var browser =
          new DevTools(
              URI.create(json("GET", "/json/version").path("webSocketDebuggerUrl").asText()),
              (m, p) -> {});
      String context =
          browser.send("Target.createBrowserContext").path("browserContextId").asText();
      String target =
          browser
              .send("Target.createTarget", "url", "about:blank", "browserContextId", context)
              .path("targetId")
              .asText();
      browser.close();
      return new DevTools(
          URI.create(address.replace("http", "ws") + "/devtools/page/" + target), events);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private JsonNode json(String method, String path) throws IOException {
    try {
      return new ObjectMapper()
          .readTree(
              client
                  .send(
                      HttpRequest.newBuilder(URI.create(address + path))
                          .method(method, HttpRequest.BodyPublishers.noBody())
                          .build(),
                      BodyHandlers.ofString())
                  .body());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException(e);
    }
  }

  @Override
  public void close() {
    process.descendants().forEach(ProcessHandle::destroyForcibly);
    process.destroyForcibly();
    try {
      process.waitFor();
      try (Stream<Path> files = Files.walk(profile)) {
        files.sorted((a, b) -> b.compareTo(a)).forEach(file -> file.toFile().delete());
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
