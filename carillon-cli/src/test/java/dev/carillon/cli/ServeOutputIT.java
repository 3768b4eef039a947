package dev.carillon.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.sun.net.httpserver.HttpServer;
import dev.carillon.cli.console.Json;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the packaged program says of itself from start to stop, and to whom. */
class ServeOutputIT {
  private static final int EXIT_BY_SIGINT = 130;

  @TempDir Path folder;

  @Test
  void the_first_token_is_not_shown_where_others_may_read_it() throws Exception {
    Path data = folder.resolve("data");
    try (var server = serve(data)) {
      server.url();
      String token = Files.readString(data.resolve("admin-token")).strip();

      assertThat(server.out()).contains("The admin token is in " + data.resolve("admin-token"));
      server.terminate();
      assertThat(server.out()).noneMatch(line -> line.contains(token) || line.contains("#token"));
      assertThat(server.err()).noneMatch(line -> line.contains(token));
    }
  }

  @Test
  void with_json_logs_every_line_is_json() throws Exception {
    try (var server =
        serve(folder.resolve("data"), "--log-format", "json", "--metrics-port", "0")) {
      assertThat(server.get("/readyz").statusCode()).isEqualTo(200);
      server.terminate();

      assertThat(server.out()).isEmpty();
      List<String> messages = messages(server.err());
      assertThat(messages)
          .anyMatch(line -> line.startsWith("starting PostgreSQL"))
          .anyMatch(line -> line.startsWith("The admin token is in "))
          .anyMatch(line -> line.startsWith("Metrics without a sign-in: http://127.0.0.1:"))
          .contains("Stopping; a second signal stops at once")
          .last()
          .isEqualTo("Carillon stopped");
    }
  }

  @Test
  void with_json_logs_a_start_that_fails_is_told_as_json() throws Exception {
    assertFailsInJson(
        1,
        "cannot use the database at 127.0.0.1:1: connection refused",
        Map.of(),
        "--log-format",
        "json",
        "--database-wait",
        "0s",
        "--database-url",
        "postgresql://ann@127.0.0.1:1/x");
    assertFailsInJson(2, "--port must be a number", Map.of(), "--log-format=json", "--port", "x");
    assertFailsInJson(
        2,
        "cannot read",
        Map.of("CARILLON_LOG_FORMAT", "json"),
        "--config",
        folder.resolve("absent").toString());
    Path config = Files.writeString(folder.resolve("settings"), "log-format = json\nport = x\n");
    assertFailsInJson(2, "port must be a number", Map.of(), "--config", config.toString());
  }

  private static void assertFailsInJson(
      int code, String message, Map<String, String> environment, String... options)
      throws Exception {
    var words = new ArrayList<>(List.of("serve"));
    words.addAll(List.of(options));
    var server = Program.start(environment, words.toArray(String[]::new));

    assertThat(server.exitCode()).isEqualTo(code);
    assertThat(server.out()).isEmpty();
    assertThat(messages(server.err())).singleElement().asString().contains(message);
  }

  private static List<String> messages(List<String> lines) throws Exception {
    var messages = new ArrayList<String>();
    for (String line : lines) {
      JsonNode json = Json.read(line);
      assertThat(json.path("level").asText()).as(line).isNotEmpty();
      messages.add(json.path("message").asText());
    }
    return messages;
  }

  @Test
  void the_first_interrupt_says_what_it_waits_for_and_the_second_stops_at_once() throws Exception {
    var called = new CountDownLatch(1);
    HttpServer endpoint =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    endpoint.createContext("/", exchange -> called.countDown()); // and never answers
    endpoint.start();
    Path data = folder.resolve("data");
    try (var server = serve(data, "--allowed-hosts", "127.0.0.1", "--drain", "10m")) {
      var rest = new Rest(server.url(), Files.readString(data.resolve("admin-token")).strip());
      rest.put(
          "/targets/slow",
          "{\"type\": \"http\", \"timeout\": \"PT1H\", \"url\": \"http://127.0.0.1:%s/\"}"
              .formatted(endpoint.getAddress().getPort()));
      rest.post("/runs", "{\"target\": \"slow\"}");
      assertThat(called.await(60, TimeUnit.SECONDS)).isTrue();
      long begun = System.nanoTime();
      server.signal("INT");
      server.awaitOut("Stopping: waiting up to 600 s for 1 run; Ctrl-C again stops at once");
      server.signal("INT");

      assertThat(server.exitCode()).isEqualTo(EXIT_BY_SIGINT);
      assertThat(server.out()).doesNotContain("Carillon stopped");
      assertThat(Duration.ofNanos(System.nanoTime() - begun)).isLessThan(Duration.ofMinutes(1));
    } finally {
      endpoint.stop(0);
    }
  }

  private static Program serve(Path data, String... more) {
    var words = new ArrayList<>(List.of("serve", "--port", "0", "--data", data.toString()));
    words.addAll(List.of(more));
    return Program.start(words.toArray(String[]::new));
  }
}
