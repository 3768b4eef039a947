package dev.carillon.server;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.carillon.fixture.EmbeddedPostgres;
import dev.carillon.fixture.PostgresServer;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** A whole server on a real port, in real time, asked in the words of the cron jobs platform. */
@ExtendWith(EmbeddedPostgres.class)
@Timeout(120)
class CronJobServingTest {
  private final PostgresServer postgres;
  private final HttpClient client = HttpClient.newHttpClient();
  private @TempDir Path folder;

  CronJobServingTest(PostgresServer postgres) {
    this.postgres = postgres;
  }

  @Test
  void a_job_that_prints_a_message_shows_up_in_the_run_history() throws Exception {
    try (var log = new LogCapture();
        var server = started()) {
      send(server, "PUT", "/api/v1/targets/calling_my_mom", "{\"type\": \"log\"}");
      ObjectNode everySecond =
          ((ObjectNode) Answer.parse(SourceText.of("cron-job-recurring.json")))
              .put("jobKey", "every-second")
              .put("cronExpression", "* * * * * *");
      JsonNode made =
          send(server, "POST", "/api/v2/admin/cron/jobs", SourceText.of("cron-job-recurring.json"));
      send(server, "POST", "/api/v2/admin/cron/jobs", everySecond.toString());

      assertThat(made.at("/cronExpression").asText()).isEqualTo("*/5 * * * *");
      assertThat(firstDone(server, "every-second").get("triggerType").asText())
          .isEqualTo("scheduled");
      send(
          server,
          "POST",
          "/api/v2/admin/cron/jobs/%s/run-now".formatted(made.get("id").asText()),
          "");
      assertThat(firstDone(server, "sample-heartbeat").get("jobDefinitionId"))
          .isEqualTo(made.get("id"));
      assertThat(log.text()).contains("calling_my_mom: run ").contains("hello world");
    }
  }

  private JsonNode firstDone(Server server, String key) throws Exception {
    JsonNode items;
    do {
      items =
          send(server, "GET", "/api/v2/admin/cron/runs?status=succeeded&jobKey=" + key, "")
              .get("items");
    } while (items.isEmpty());
    return items.get(0);
  }

  private Server started() {
    var server =
        new Server(
            ServerSettings.from(
                Map.of(
                    "port",
                    "0",
                    "data",
                    folder.toString(),
                    "database-url",
                    "postgresql://%s:%s@127.0.0.1:%s/%s"
                        .formatted(
                            postgres.user(),
                            postgres.password(),
                            postgres.port(),
                            postgres.createMigrated())),
                Map.of()),
            line -> {});
    server.start();
    return server;
  }

  private JsonNode send(Server server, String method, String path, String body) throws Exception {
    String token = Files.readString(folder.resolve("admin-token")).strip();
    HttpRequest request =
        HttpRequest.newBuilder(URI.create(server.url() + path))
            .header("Authorization", "Bearer " + token)
            .method(
                method, body.isEmpty() ? BodyPublishers.noBody() : BodyPublishers.ofString(body))
            .build();
    return Answer.parse(client.send(request, BodyHandlers.ofString()).body());
  }
}
