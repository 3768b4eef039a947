package dev.carillon.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.carillon.fixture.EmbeddedPostgres;
import dev.carillon.fixture.PostgresServer;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** Secrets, tokens and payloads go in everywhere, and none of them is ever in the log. */
@ExtendWith(EmbeddedPostgres.class)
@Timeout(120)
class CanaryTest {
  private static final String CANARY = "canary5ecret";

  private final HttpClient client = HttpClient.newHttpClient();
  private final PostgresServer postgres;
  private String url = "";

  CanaryTest(PostgresServer postgres) {
    this.postgres = postgres;
  }

  @Test
  void no_secret_token_or_payload_is_ever_logged(@TempDir Path folder) throws Exception {
    var progress = new ArrayList<String>();
    String token;
    try (var logs = new LogCapture()) {
      try (var server = new Server(settings(folder), progress::add)) {
        server.start();
        url = server.url();
        token = Files.readString(folder.resolve("admin-token")).strip();
        plant(token);
      }
      assertThat(logs.text()).contains("dev.carillon").doesNotContain(CANARY, token);
    }
    assertThat(progress).filteredOn(line -> line.contains(token)).hasSize(1);
  }

  private void plant(String token) throws Exception {
    send(
        token,
        "PUT",
        "/targets/hook",
        "{\"type\": \"http\", \"url\": \"https://hook.invalid/%s\", \"secret\": \"whsec_%s\", \"headers\": {\"X-Key\": \"%s\"}}"
            .formatted(CANARY, "MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw", CANARY));
    send(token, "PUT", "/targets/hook", "{\"type\": \"http\", \"url\": \"%s\"}".formatted(CANARY));
    for (String target : List.of("noop", "hook")) {
      send(
          token,
          "PUT",
          "/schedules/" + target,
          "{\"target\": \"%s\", \"timing\": {\"every\": \"PT1H\"}, \"payload\": {\"%s\": \"%s\"}}"
              .formatted(target, CANARY, CANARY));
      String run =
          send(
                  token,
                  "POST",
                  "/schedules/" + target + "/run",
                  "{\"payload\": {\"x\": \"%s\"}}".formatted(CANARY))
              .body();
      await(token, Answer.parse(run).get("id").asText());
    }
    send(
        token,
        "PUT",
        "/schedules/bad",
        "{\"target\": \"%s\", \"timing\": {\"cron\": \"%s\"}}".formatted(CANARY, CANARY));
    send(token, "PUT", "/schedules/bad", "{\"%s".formatted(CANARY));
    send(
        token,
        "POST",
        "/runs",
        "{\"target\": \"noop\", \"payload\": {\"x\": \"%s\"}, \"correlation\": \"%s\"}"
            .formatted(CANARY, CANARY));
    send(token, "POST", "/tokens", "{\"name\": \"ci\", \"roles\": [\"viewer\"]}");
    send(token, "POST", "/tokens", "{\"name\": \"ci\", \"roles\": [\"%s\"]}".formatted(CANARY));
    send(token, "GET", "/schedules?payload=%7B%22" + CANARY + "%22:1%7D", "");
    send(token, "GET", "/schedules?" + CANARY + "=" + CANARY, "");
    for (String wrong : List.of(CANARY, "crl_" + CANARY, "a." + CANARY + ".b", token + CANARY)) {
      assertThat(send(wrong, "GET", "/me", "").statusCode()).isEqualTo(401);
    }
  }

  private void await(String token, String run) throws Exception {
    String state;
    do {
      state = Answer.parse(send(token, "GET", "/runs/" + run, "").body()).path("state").asText();
    } while (state.equals("pending") || state.equals("running"));
  }

  private HttpResponse<String> send(String token, String method, String path, String body)
      throws IOException, InterruptedException {
    return client.send(
        HttpRequest.newBuilder(URI.create(url + "/api/v1" + path))
            .timeout(Duration.ofSeconds(20))
            .header("Authorization", "Bearer " + token)
            .header("Content-Type", "application/json")
            .method(method, BodyPublishers.ofString(body))
            .build(),
        BodyHandlers.ofString());
  }

  private ServerSettings settings(Path folder) {
    String database =
        "postgresql://%s:%s@127.0.0.1:%s/%s"
            .formatted(
                postgres.user(), postgres.password(), postgres.port(), postgres.createMigrated());
    return ServerSettings.from(
        Map.of("port", "0", "database-url", database, "data", folder.toString()), Map.of());
  }
}
