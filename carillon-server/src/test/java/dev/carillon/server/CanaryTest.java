package dev.carillon.server;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.carillon.fixture.Await;
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
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
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

  @BeforeEach
  void make_a_user_whose_password_must_not_be_seen() throws SQLException {
    try (var connection =
            DriverManager.getConnection(
                "jdbc:postgresql://127.0.0.1:%s/postgres".formatted(postgres.port()),
                postgres.user(),
                postgres.password());
        var statement = connection.createStatement()) {
      statement.execute("create role canary superuser login password '%s'".formatted(CANARY));
    }
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
        walk(token);
      }
      assertThat(logs.text())
          .contains("dev.carillon", "\"route\":\"/api/v1/runs/{id}\"", "\"status\":401")
          .doesNotContain(CANARY, token);
    }
    assertThat(progress)
        .noneMatch(line -> line.contains(token))
        .anyMatch(line -> line.startsWith("The admin token is in "));
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

  /* Every operation, with a canary wherever a client can put something. */
  private void walk(String token) throws Exception {
    JsonNode paths = Answer.parse(get(token, "/openapi.json").body()).get("paths");
    int sent = 0;
    for (Map.Entry<String, JsonNode> path : paths.properties()) {
      String place = path.getKey().replaceAll("\\{[a-z]+}", "nothing");
      for (Iterator<String> methods = path.getValue().fieldNames(); methods.hasNext(); ) {
        String method = methods.next().toUpperCase(Locale.ROOT);
        for (String body :
            List.of("{\"%s\": \"%s\"}", "{\"payload\": {\"x\": \"%s\"}}", "[%s", "")) {
          for (String query : List.of("?" + CANARY + "=" + CANARY, "")) {
            if (method.equals("GET") && place.endsWith("/events") && query.isEmpty()) {
              continue;
            }
            HttpResponse<String> answer =
                exchange(token, method, place + query, body.replace("%s", CANARY));
            assertThat(answer.statusCode()).as(method + " " + place).isNotIn(401, 403, 500);
            sent++;
          }
        }
        exchange("crl_" + CANARY, method, place, "{}");
      }
    }
    assertThat(sent).isGreaterThan(300);
  }

  private HttpResponse<String> get(String token, String path) throws Exception {
    return exchange(token, "GET", path, "");
  }

  private void await(String token, String run) {
    Await.until(
        "the end of " + run,
        () -> {
          String state =
              Answer.parse(send(token, "GET", "/runs/" + run, "").body()).path("state").asText();
          return !state.equals("pending") && !state.equals("running");
        });
  }

  private HttpResponse<String> send(String token, String method, String path, String body)
      throws IOException, InterruptedException {
    return exchange(token, method, "/api/v1" + path, body);
  }

  private HttpResponse<String> exchange(String token, String method, String path, String body)
      throws IOException, InterruptedException {
    return client.send(
        HttpRequest.newBuilder(URI.create(url + path))
            .timeout(Duration.ofSeconds(20))
            .header("Authorization", "Bearer " + token)
            .header("Content-Type", "application/json")
            .header("X-Secret", CANARY)
            .header("X-Carillon-Console", "1")
            .header("Cookie", CANARY)
            .method(method, BodyPublishers.ofString(body))
            .build(),
        BodyHandlers.ofString());
  }

  private ServerSettings settings(Path folder) {
    String database =
        "postgresql://127.0.0.1:%s/%s".formatted(postgres.port(), postgres.createMigrated());
    return ServerSettings.from(
        Map.of(
            "port",
            "0",
            "data",
            folder.toString(),
            "database-url",
            database,
            "sign-in-failures",
            "1000000",
            "log-format",
            "json",
            "request-log",
            "true"),
        Map.of(
            "CARILLON_DATABASE_USER",
            "canary",
            "CARILLON_DATABASE_PASSWORD",
            CANARY,
            "CARILLON_SECRET_KEY",
            Running.KEY));
  }
}
