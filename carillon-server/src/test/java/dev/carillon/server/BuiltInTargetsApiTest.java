package dev.carillon.server;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.carillon.fixture.EmbeddedPostgres;
import java.time.Duration;
import java.util.List;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Workflows on a server without defined targets. */
@ExtendWith(EmbeddedPostgres.class)
class BuiltInTargetsApiTest {
  private static final String GRAPH =
      """
      {"user_id": "ada",
       "triggers": [{"id": "nightly", "type": "schedule_based", "cron_expr": "0 2 * * *"}]}
      """;

  private final Site site;
  private final String id = "b-" + Long.toHexString(System.nanoTime());

  BuiltInTargetsApiTest(DataSource source) {
    site = new Site(source);
    site.delete("/targets/workflow");
  }

  @AfterEach
  void close() {
    site.close();
  }

  private Answer upsert() {
    return site.sendTo(
        "POST",
        "/schedules/upsert",
        """
        {"schedule_id": "%s", "workflow_id": "billing", "version": 3, "user_id": "ada",
         "cron_expr": "0 * * * *", "timezone": "UTC"}
        """
            .formatted(id));
  }

  private static List<String> warnings(Answer answer) {
    return answer.json().path("warnings").findValuesAsText("message");
  }

  @Test
  void a_schedule_of_a_workflow_is_accepted_with_a_warning_that_says_what_to_set() {
    Answer stored = upsert();

    assertThat(stored.status()).isEqualTo(200);
    assertThat(stored.at("/schedule_id")).isEqualTo(id);
    assertThat(stored.at("/next_run_at")).isEqualTo("2026-01-01T01:00:00Z");
    assertThat(stored.at("/warnings/0/code")).isEqualTo("executor_unknown");
    assertThat(warnings(stored))
        .singleElement()
        .asString()
        .contains("executor-url", "--executor-url", "CARILLON_EXECUTOR_URL")
        .contains("PUT /api/v1/targets/workflow");
    assertThat(warnings(site.get("/schedules/" + id))).isEqualTo(warnings(stored));
  }

  @Test
  void its_runs_fail_and_say_what_to_set() {
    upsert();
    site.carillon.pass(Duration.ofMinutes(61));
    JsonNode run = site.get("/runs?schedule=" + id).json().at("/items/0");

    assertThat(run.at("/state").asText()).isEqualTo("failed");
    assertThat(run.at("/failure/code").asText()).isEqualTo("executor_unknown");
    assertThat(run.at("/failure/message").asText()).contains("executor-url");
    assertThat(site.sendTo("GET", "/schedules/" + id, "").at("/runs/0/status")).isEqualTo("FAILED");
  }

  @Test
  void a_workflow_is_deployed_and_launched_with_a_warning() {
    Answer deployed = site.put("/workflows/%s/versions/1".formatted(id), GRAPH);
    Answer launched =
        site.sendTo(
            "POST",
            "/run-launcher/start",
            """
            {"workflow_id": "%s", "version": 1, "user_id": "ada",
             "scheduled_for": "2026-01-01T02:00:00Z", "idempotency_key": "%s"}
            """
                .formatted(id, id));

    assertThat(deployed.status()).isEqualTo(201);
    assertThat(warnings(deployed)).hasSize(1);
    assertThat(launched.status()).isEqualTo(202);
    assertThat(launched.at("/started")).isEqualTo("true");
    assertThat(warnings(launched)).hasSize(1);
  }

  @Test
  void a_timeout_of_a_workflow_instance_is_accepted_and_fails_when_it_is_due() {
    Answer made =
        site.post(
            "/workflow-instances/%s/timeouts".formatted(id),
            "{\"timeout\": \"PT15M\", \"handlerStep\": \"late\"}");
    site.carillon.pass(Duration.ofMinutes(16));

    assertThat(made.status()).isEqualTo(202);
    assertThat(warnings(made))
        .singleElement()
        .asString()
        .contains("PUT /api/v1/targets/workflow_timeout_handler");
    assertThat(site.get("/runs/" + made.at("/id")).at("/failure/code"))
        .isEqualTo("executor_unknown");
  }

  @Test
  void a_target_that_is_defined_under_the_label_is_used_instead_until_it_is_removed() {
    Answer before = site.get("/targets/workflow");
    Answer put = site.put("/targets/workflow", "{\"type\": \"noop\"}");
    Answer stored = upsert();
    site.carillon.pass(Duration.ofMinutes(61));
    Answer removed = site.delete("/targets/workflow");
    site.carillon.pass(Duration.ofMinutes(60));

    assertThat(before.at("/type")).isEqualTo("workflow");
    assertThat(before.at("/builtIn")).isEqualTo("true");
    assertThat(warnings(before)).hasSize(1);
    assertThat(put.status()).isEqualTo(201);
    assertThat(stored.json().has("warnings")).isFalse();
    assertThat(removed.status()).isEqualTo(204);
    assertThat(site.get("/targets/workflow").at("/builtIn")).isEqualTo("true");
    assertThat(site.get("/runs?schedule=" + id).json().get("items").findValuesAsText("state"))
        .containsExactly("failed", "succeeded");
  }

  @Test
  void built_in_targets_are_listed_and_not_removed() {
    List<String> labels = site.get("/targets").json().get("items").findValuesAsText("label");

    assertThat(labels).contains("log", "noop", "workflow", "workflow_timeout_handler");
    assertThat(site.delete("/targets/workflow").status()).isEqualTo(409);
    assertThat(site.put("/targets/noop", "{\"type\": \"worker\"}").status()).isEqualTo(409);
  }

  @Test
  void an_ad_hoc_run_and_a_job_for_the_label_are_warned_of() {
    Answer run = site.post("/runs", "{\"target\": \"workflow\", \"in\": \"P1D\"}");
    Answer job =
        site.sendTo(
            "POST",
            "/api/v2/admin/cron/jobs",
            """
            {"jobKey": "%s", "target": "workflow", "scheduleType": "recurring",
             "cronExpression": "0 3 * * *"}
            """
                .formatted(id));

    assertThat(warnings(run)).hasSize(1);
    assertThat(job.status()).isEqualTo(201);
    assertThat(warnings(job)).hasSize(1);
  }
}
