package dev.carillon.server;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.carillon.fixture.EmbeddedPostgres;
import dev.carillon.fixture.PostgresServer;
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
  private @TempDir Path folder;

  CronJobServingTest(PostgresServer postgres) {
    this.postgres = postgres;
  }

  @Test
  void a_job_that_prints_a_message_shows_up_in_the_run_history() throws Exception {
    try (var log = new LogCapture();
        var server = Served.start(Served.freshDatabase(postgres), folder, Map.of())) {
      server.ask("PUT", "/api/v1/targets/calling_my_mom", "{\"type\": \"log\"}");
      ObjectNode everySecond =
          ((ObjectNode) Answer.parse(SourceText.of("cron-job-recurring.json")))
              .put("jobKey", "every-second")
              .put("cronExpression", "* * * * * *");
      JsonNode made =
          server.ask("POST", "/api/v2/admin/cron/jobs", SourceText.of("cron-job-recurring.json"));
      server.ask("POST", "/api/v2/admin/cron/jobs", everySecond.toString());

      assertThat(made.at("/cronExpression").asText()).isEqualTo("*/5 * * * *");
      assertThat(firstDone(server, "every-second").get("triggerType").asText())
          .isEqualTo("scheduled");
      server.ask(
          "POST", "/api/v2/admin/cron/jobs/%s/run-now".formatted(made.get("id").asText()), "");
      assertThat(firstDone(server, "sample-heartbeat").get("jobDefinitionId"))
          .isEqualTo(made.get("id"));
      assertThat(log.text()).contains("calling_my_mom: run ").contains("hello world");
    }
  }

  private JsonNode firstDone(Served server, String key) throws Exception {
    JsonNode items;
    do {
      items =
          server
              .ask("GET", "/api/v2/admin/cron/runs?status=succeeded&jobKey=" + key, "")
              .get("items");
    } while (items.isEmpty());
    return items.get(0);
  }
}
