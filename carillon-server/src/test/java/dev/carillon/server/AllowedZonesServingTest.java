package dev.carillon.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import dev.carillon.ScheduleDraft;
import dev.carillon.fixture.EmbeddedPostgres;
import dev.carillon.fixture.PostgresServer;
import dev.carillon.time.UnknownZoneException;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** A server that lets schedules use a few time zones only, at each of its doors. */
@ExtendWith(EmbeddedPostgres.class)
@Timeout(120)
class AllowedZonesServingTest {
  private static final String WHY = "allowed are Europe/*, Asia/Tokyo";

  private final Served server;

  AllowedZonesServingTest(PostgresServer postgres, @TempDir Path folder) {
    server =
        Served.start(
            Served.freshDatabase(postgres),
            folder,
            Map.of("allowed-zones", "Europe/*, Asia/Tokyo"));
  }

  @AfterEach
  void stop() {
    server.close();
  }

  private void refused(String method, String path, String pointer, String body) throws Exception {
    for (String zone : new String[] {"America/New_York", "UTC"}) {
      JsonNode answer = server.ask(method, path, body.formatted(zone));
      assertThat(answer.at("/status").asInt()).as("%s", answer).isEqualTo(422);
      assertThat(answer.at("/errors/0/pointer").asText()).isEqualTo(pointer);
      assertThat(answer.at("/errors/0/message").asText()).contains("'" + zone + "'", WHY);
    }
    JsonNode unknown = server.ask(method, path, body.formatted("Europe/Rom"));
    assertThat(unknown.at("/errors/0/pointer").asText()).isEqualTo(pointer);
    assertThat(unknown.at("/errors/0/message").asText()).contains("did you mean Europe/Rome?");
    JsonNode fine = server.ask(method, path, body.formatted("Europe/Rome"));
    assertThat(fine.has("errors")).as("%s", fine).isFalse();
    server.ask(method, path, body.formatted("Asia/Tokyo"));
  }

  @Test
  void schedules_are_refused_with_the_field_and_the_list() throws Exception {
    String timing = "{\"target\": \"noop\", \"timing\": {%s, \"zone\": \"%%s\"}}";
    String cron = timing.formatted("\"cron\": \"0 2 * * *\"");
    refused("PUT", "/api/v1/schedules/a", "/timing/zone", cron);
    refused("PUT", "/api/v1/schedules/b", "/timing/zone", timing.formatted("\"every\": \"P1M\""));
    refused("PUT", "/api/v1/schedules/c", "/timing/zone", timing.formatted("\"in\": \"P1M\""));
    refused("PATCH", "/api/v1/schedules/a", "/timing/zone", "{\"timing\": {\"zone\": \"%s\"}}");
    refused("POST", "/api/v1/schedules", "/timing/zone", cron);
    refused(
        "POST",
        "/api/v1/runs",
        "/zone",
        "{\"target\": \"noop\", \"in\": \"P1M\", \"zone\": \"%s\"}");
  }

  @Test
  void a_schedule_that_says_no_zone_is_in_utc_which_must_be_allowed_too() throws Exception {
    JsonNode answer =
        server.ask(
            "PUT",
            "/api/v1/schedules/a",
            "{\"target\": \"noop\", \"timing\": {\"cron\": \"0 2 * * *\"}}");

    assertThat(answer.at("/errors/0/pointer").asText()).isEqualTo("/timing/zone");
    assertThat(answer.at("/errors/0/message").asText()).contains("'UTC'", WHY);
  }

  @Test
  void timings_are_explained_in_allowed_zones_only() throws Exception {
    refused(
        "POST",
        "/api/v1/timings/explain",
        "/timing/zone",
        "{\"timing\": {\"cron\": \"0 2 * * *\", \"zone\": \"%s\"}}");
    refused(
        "POST",
        "/api/v1/timings/explain",
        "/zone",
        "{\"timing\": {\"every\": \"PT1H\"}, \"zone\": \"%s\"}");
  }

  @Test
  void the_contracts_of_others_keep_to_the_list() throws Exception {
    refused(
        "POST",
        "/schedules/upsert",
        "/timezone",
        """
        {"schedule_id": "s", "workflow_id": "w", "version": 1, "user_id": "u", "target": "noop",
         "cron_expr": "0 2 * * *", "timezone": "%s"}
        """);
    refused(
        "POST",
        "/api/v2/admin/cron/jobs",
        "/timezone",
        """
        {"jobKey": "j", "target": "noop", "scheduleType": "recurring", "cronExpression": "0 2 * * *",
         "timezone": "%s"}
        """);
    refused(
        "PUT",
        "/api/v1/workflows/w/versions/1",
        "/triggers/0/timezone",
        """
        {"triggers": [{"id": "t", "type": "schedule_based", "target": "noop", "cron_expr": "0 2 * * *",
                       "timezone": "%s"}]}
        """);
  }

  @Test
  void java_programs_keep_to_the_list() {
    ScheduleDraft draft = ScheduleDraft.named("java").target("noop");

    server.carillon().schedules().create(draft.cron("0 2 * * *", "Europe/Rome"));
    assertThatThrownBy(() -> server.carillon().schedules().upsert(draft.cron("0 2 * * *", "UTC")))
        .isInstanceOf(UnknownZoneException.class)
        .hasMessageContaining(WHY);
  }

  @Test
  void a_list_that_matches_nothing_keeps_the_server_from_starting() {
    assertThatThrownBy(() -> ServerSettings.from(Map.of("allowed-zones", "Europa/*"), Map.of()))
        .hasMessageContaining("--allowed-zones")
        .hasMessageContaining("no zone matches 'Europa/*'");
  }
}
