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

/** A browser without a window, with a profile of its own. */
final class Chromium implements AutoCloseable {
  private static final List<String> PLACES =
      List.of("/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome");

  private final Process process;
  private final Path profile;
  private final String address;
  private final DevTools browser;

  private Chromium(Process process, Path profile, String address) {
    this.process = process;
    this.profile = profile;
    this.address = address;
    this.browser =
        new DevTools(
            URI.create(version().path("webSocketDebuggerUrl").asText()), (event, about) -> {});
  }

  /** Return where a browser is installed, if one is; {@code -Dbrowser.path} names another place. */
  static Optional<Path> installed() {
    String chosen = System.getProperty("browser.path");
    return (chosen == null ? PLACES : List.of(chosen))
        .stream().map(Path::of).filter(Files::isExecutable).findFirst();
  }

  static Chromium start() {
    try {
      Path profile = Files.createTempDirectory("console-browser");
      var browser =
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
              .redirectOutput(profile.resolve("log").toFile());
      browser.environment().put("LANGUAGE", "en_US"); // it decides how dates are typed
      Process process = browser.start();
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

  /** Return a profile with cookies and storage of its own. */
  Profile profile() {
    return new Profile(
        browser.send("Target.createBrowserContext").path("browserContextId").asText());
  }

  /** Cookies and storage that tabs share. */
  final class Profile implements AutoCloseable {
    private final String id;

    private Profile(String id) {
      this.id = id;
    }

    /** Open a tab; {@code events} hears what it tells unasked. */
    DevTools tab(BiConsumer<String, JsonNode> events) {
      String target =
          browser
              .send("Target.createTarget", "url", "about:blank", "browserContextId", id)
              .path("targetId")
              .asText();
      return new DevTools(
          URI.create(address.replace("http", "ws") + "/devtools/page/" + target), events);
    }

    /**
     * Let its tabs be closed and forgotten, without waiting: Chromium may take a minute for it,
     * such as after a look at the clipboard.
     */
    @Override
    public void close() {
      browser.tell("Target.disposeBrowserContext", "browserContextId", id);
    }
  }

  private JsonNode version() {
    try {
      return new ObjectMapper()
          .readTree(
              HttpClient.newHttpClient()
                  .sendAsync(
                      HttpRequest.newBuilder(URI.create(address + "/json/version")).build(),
                      BodyHandlers.ofString())
                  .join()
                  .body());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void close() {
    browser.close();
    process.descendants().forEach(ProcessHandle::destroyForcibly);
    process.destroyForcibly();
    try {
      process.waitFor();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    Folders.delete(profile);
  }
}
