package dev.carillon.server;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.carillon.fixture.EmbeddedPostgres;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.StreamSupport;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(EmbeddedPostgres.class)
class WorkflowApiTest {
  private static final String NIGHTLY =
      "{\"id\": \"nightly\", \"type\": \"schedule_based\", \"cron_expr\": \"0 2 * * *\", \"target\": \"noop\"}";
  private static final String HOURLY =
      "{\"id\": \"hourly\", \"type\": \"schedule_based\", \"cron_expr\": \"0 * * * *\", \"target\": \"noop\"}";

  private final Site site;
  private final String id = "flow-" + Long.toHexString(System.nanoTime());

  WorkflowApiTest(DataSource source) {
    site = new Site(source);
  }

  @AfterEach
  void close() {
    site.close();
  }

  private static String dag(String... triggers) {
    return "{\"user_id\": \"ada\", \"triggers\": [%s], \"nodes\": [{\"id\": \"a\"}]}"
        .formatted(String.join(", ", triggers));
  }

  private Answer deploy(int version, String... triggers) {
    return site.put("/workflows/%s/versions/%s".formatted(id, version), dag(triggers));
  }

  private Answer schedule(String trigger) {
    return site.get("/schedules/workflow:" + id + ":" + trigger);
  }

  private static List<String> changes(Answer answer) {
    return StreamSupport.stream(answer.json().get("schedules").spliterator(), false)
        .map(WorkflowApiTest::change)
        .toList();
  }

  private static String change(JsonNode schedule) {
    String key = schedule.get("key").asText();
    return key.substring(key.lastIndexOf(':') + 1) + " " + schedule.get("result").asText();
  }

  @Test
  void each_schedule_based_trigger_becomes_a_schedule() {
    Answer made =
        deploy(1, NIGHTLY, HOURLY, "{\"id\": \"mail\", \"type\": \"webhook\", \"url\": 1}");

    assertThat(made.status()).isEqualTo(201);
    assertThat(changes(made)).containsExactly("hourly created", "nightly created");
    Answer nightly = schedule("nightly");
    assertThat(nightly.at("/timing/cron")).isEqualTo("0 2 * * *");
    assertThat(nightly.json().get("payload"))
        .isEqualTo(
            Answer.parse(
                """
                {"workflow_id": "%s", "version": 1, "user_id": "ada", "trigger_id": "nightly"}
                """
                    .formatted(id)));
    assertThat(site.get("/workflows/" + id + "/versions/1").at("/dag/nodes/0/id")).isEqualTo("a");
  }

  @Test
  void deploying_the_same_again_changes_nothing() {
    deploy(1, NIGHTLY);
    Answer again = deploy(1, NIGHTLY);

    assertThat(again.status()).isEqualTo(200);
    assertThat(changes(again)).containsExactly("nightly unchanged");
    assertThat(schedule("nightly").at("/version")).isEqualTo("1");
  }

  private Answer sent(String method, String header, String tag, String... triggers) {
    String path = "/workflows/" + id + "/versions/1";
    String body = method.equals("PUT") ? dag(triggers) : "";
    return site.send(site.request(method, path, body).header(header, tag));
  }

  private String tag() {
    return site.get("/workflows/" + id + "/versions/1").headers().getOrDefault("ETag", "");
  }

  @Test
  void a_version_that_changed_meanwhile_is_neither_replaced_nor_removed() {
    String first = deploy(1, NIGHTLY).headers().getOrDefault("ETag", "");
    assertThat(first).matches("\"[\\w-]{22}\"").isEqualTo(tag());
    Answer second = sent("PUT", "If-Match", first, HOURLY);

    assertThat(second.status()).isEqualTo(200);
    assertThat(second.headers().get("ETag")).isEqualTo(tag()).isNotEqualTo(first);
    Answer late = sent("PUT", "If-Match", first, NIGHTLY);
    assertThat(late.status()).isEqualTo(412);
    assertThat(late.at("/code")).isEqualTo("changed-meanwhile");
    assertThat(sent("DELETE", "If-Match", first).status()).isEqualTo(412);
    assertThat(schedule("hourly").at("/status")).isEqualTo("active");
    assertThat(sent("PUT", "If-Match", "*", HOURLY).status()).isEqualTo(200);
    assertThat(sent("DELETE", "If-Match", tag()).status()).isEqualTo(200);
    assertThat(schedule("hourly").at("/status")).isEqualTo("retired");
  }

  @Test
  void deploying_the_same_again_keeps_the_tag() {
    deploy(1, NIGHTLY);
    String tag = tag();
    site.clock.advance(Duration.ofHours(1));

    assertThat(deploy(1, NIGHTLY).headers().get("ETag")).isEqualTo(tag);
  }

  @Test
  void what_is_there_is_not_created_and_what_is_not_there_is_not_replaced() {
    assertThat(sent("PUT", "If-Match", "*", NIGHTLY).status()).isEqualTo(412);
    assertThat(sent("PUT", "If-Match", "\"x\"", NIGHTLY).status()).isEqualTo(412);
    assertThat(sent("DELETE", "If-Match", "*").status()).isEqualTo(404);
    assertThat(sent("PUT", "If-None-Match", "*", NIGHTLY).status()).isEqualTo(201);
    assertThat(sent("PUT", "If-None-Match", "*", NIGHTLY).status()).isEqualTo(412);
    String last = tag();
    site.delete("/workflows/" + id + "/versions/1");
    assertThat(tag()).isEmpty();
    assertThat(sent("PUT", "If-Match", last, NIGHTLY).status()).isEqualTo(412);
    assertThat(sent("PUT", "If-None-Match", "*", NIGHTLY).status()).isEqualTo(201);
  }

  @Test
  void of_many_who_replace_the_same_only_one_does() {
    deploy(1, NIGHTLY);
    String tag = tag();
    var statuses =
        IntStream.rangeClosed(1, 8)
            .mapToObj(
                minute ->
                    CompletableFuture.supplyAsync(
                        () ->
                            sent("PUT", "If-Match", tag, HOURLY.replace("0 *", minute + " *"))
                                .status()))
            .toList()
            .stream()
            .map(CompletableFuture::join)
            .toList();

    assertThat(statuses).containsOnlyOnce(200).containsOnly(200, 412);
  }

  @Test
  void a_trigger_that_is_gone_retires_its_schedule_and_comes_back_with_its_version() {
    deploy(1, NIGHTLY, HOURLY);

    assertThat(changes(deploy(2, NIGHTLY)))
        .containsExactly("nightly new_version", "hourly retired");
    assertThat(schedule("hourly").at("/status")).isEqualTo("retired");
    assertThat(changes(site.delete("/workflows/" + id + "/versions/2")))
        .containsExactly("hourly new_version", "nightly new_version");
    assertThat(schedule("hourly").at("/status")).isEqualTo("active");
    assertThat(schedule("nightly").at("/payload/version")).isEqualTo("1");
  }

  @Test
  void an_older_version_is_kept_but_does_not_take_over() {
    deploy(2, NIGHTLY);

    assertThat(changes(deploy(1, HOURLY))).containsExactly("nightly unchanged");
    assertThat(schedule("hourly").status()).isEqualTo(404);
    assertThat(site.get("/workflows/" + id).at("/version")).isEqualTo("2");
    assertThat(site.get("/workflows/" + id).json().get("versions")).hasSize(2);
  }

  @Test
  void a_paused_schedule_stays_paused() {
    deploy(1, NIGHTLY);
    site.post("/schedules/workflow:" + id + ":nightly/pause", "{\"reason\": \"moving\"}");

    deploy(2, NIGHTLY);

    assertThat(schedule("nightly").at("/status")).isEqualTo("paused");
  }

  @Test
  void what_is_wrong_is_reported_with_its_place_and_nothing_is_stored() {
    Answer refused =
        deploy(
            1,
            NIGHTLY,
            """
            {"id": "nightly", "type": "schedule_based", "cron_expr": "61 * * * *", "timezone": "Mars",
             "target": "nowhere", "overlap_polcy": "skip", "jitter_ms": -1}
            """);

    assertThat(refused.status()).isEqualTo(422);
    assertThat(refused.json().get("errors").findValuesAsText("pointer"))
        .contains(
            "/triggers/1/id",
            "/triggers/1/cron_expr",
            "/triggers/1/timezone",
            "/triggers/1/target",
            "/triggers/1/overlap_polcy",
            "/triggers/1/jitter_ms");
    assertThat(site.get("/workflows/" + id).at("/code")).isEqualTo("workflow-unknown");
    assertThat(schedule("nightly").status()).isEqualTo(404);
  }

  @Test
  void a_schedule_that_never_fires_stops_the_whole_deployment() {
    Answer refused =
        deploy(
            1,
            NIGHTLY,
            """
            {"id": "past", "type": "schedule_based", "cron_expr": "0 2 * * *", "target": "noop",
             "end_at": "2020-01-01T00:00:00Z"}
            """);

    assertThat(refused.status()).isEqualTo(422);
    assertThat(refused.at("/errors/0/pointer")).isEqualTo("/triggers/1");
    assertThat(schedule("nightly").status()).isEqualTo(404);
    assertThat(site.get("/workflows/" + id).status()).isEqualTo(404);
  }

  @Test
  void a_graph_is_bounded() {
    String path = "/workflows/" + id + "/versions/1";
    String tooLong = "{\"text\": \"%s\"}".formatted("x".repeat(256 * 1024));
    String deep = "{\"a\": %s1%s}".formatted("[".repeat(60), "]".repeat(60));
    String wide = "{\"a\": [%s1]}".formatted("1e999, ".repeat(20_000));

    assertThat(site.put(path, tooLong).at("/code")).isEqualTo("body-too-large");
    assertThat(site.put(path, deep).at("/code")).isEqualTo("malformed-json");
    assertThat(site.put(path, wide).status()).isEqualTo(422);
    assertThat(site.put(path, "[]").status()).isEqualTo(400);
    for (String version : List.of("0", "-1", "x", "2147483648", "99999999999")) {
      assertThat(site.put("/workflows/" + id + "/versions/" + version, "{}").status())
          .isEqualTo(422);
      assertThat(site.get("/workflows/" + id + "/versions/" + version).at("/code"))
          .isEqualTo("version-unknown");
    }
  }

  @Test
  void a_workflow_is_listed_and_removed_with_its_schedules() {
    deploy(1, NIGHTLY);
    deploy(2, NIGHTLY);

    assertThat(site.get("/workflows?limit=500").json().at("/items").findValuesAsText("id"))
        .containsOnlyOnce(id);
    Answer removed = site.delete("/workflows/" + id);
    assertThat(removed.at("/versions")).isEqualTo("2");
    assertThat(changes(removed)).containsExactly("nightly retired");
    assertThat(site.delete("/workflows/" + id).at("/code")).isEqualTo("workflow-unknown");
    assertThat(site.get("/workflows/" + id).json().get("version").isNull()).isTrue();
  }

  @Test
  void workflows_whose_ids_look_alike_have_schedules_of_their_own() {
    deploy(1, NIGHTLY);
    site.put("/workflows/" + id + ":nightly/versions/1", dag(HOURLY));

    assertThat(changes(deploy(2, NIGHTLY))).containsExactly("nightly new_version");
    assertThat(site.get("/workflows/" + id + ":nightly").json().get("schedules")).hasSize(1);
  }

  @Test
  void a_workflow_is_started_once_for_each_key() {
    deploy(1, NIGHTLY);
    String body =
        """
        {"workflowId": "%s", "userId": "ada", "idempotencyKey": "key-%s", "target": "noop",
         "scheduledFor": "2026-01-01T00:00:00Z"}
        """
            .formatted(id, id);

    Answer first = site.post("/run-launcher/start", body);
    assertThat(first.status()).isEqualTo(202);
    assertThat(first.at("/started")).isEqualTo("true");
    assertThat(site.post("/run-launcher/start", body).at("/run")).isEqualTo(first.at("/run"));
    assertThat(site.get("/runs/" + first.at("/run")).at("/payload/scheduled_for"))
        .isEqualTo("2026-01-01T00:00:00Z");
  }

  @Test
  void a_workflow_is_started_with_an_input_and_without_a_user() {
    deploy(1, NIGHTLY);
    Answer started =
        site.post(
            "/run-launcher/start",
            """
            {"workflowId": "%s", "idempotencyKey": "key-%s", "target": "noop", "input": {"a": 1}}
            """
                .formatted(id, id));

    assertThat(started.status()).isEqualTo(202);
    Answer run = site.get("/runs/" + started.at("/run"));
    assertThat(run.at("/payload/input/a")).isEqualTo("1");
    assertThat(run.json().at("/payload").has("user_id")).isFalse();
    assertThat(
            site.post(
                    "/run-launcher/start",
                    "{\"workflowId\": \"w\", \"idempotencyKey\": \"k\", \"userId\": \" \"}")
                .json()
                .get("errors")
                .findValuesAsText("pointer"))
        .contains("/userId");
  }

  @Test
  void an_unknown_workflow_is_not_started() {
    Answer answer =
        site.post(
            "/run-launcher/start",
            """
            {"workflowId": "%s", "version": 7, "userId": "ada", "idempotencyKey": "k", "target": "noop"}
            """
                .formatted(id));

    assertThat(answer.status()).isEqualTo(200);
    assertThat(answer.at("/started")).isEqualTo("false");
    assertThat(
            site.post("/run-launcher/start", "{\"idempotencyKey\": \"a b\"}")
                .json()
                .get("errors")
                .findValuesAsText("pointer"))
        .contains("/workflowId", "/idempotencyKey");
  }

  @Test
  void what_the_page_shows_can_be_deployed() throws IOException {
    String page = Files.readString(Path.of("../docs/reference/workflows.md"));
    Matcher shown = Pattern.compile("```json\\n(.*?)```", Pattern.DOTALL).matcher(page);
    assertThat(shown.find()).isTrue();
    String dag = shown.group(1);
    assertThat(shown.find()).isTrue();
    String target = shown.group(1).replace("whsec_…", "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw");

    Answer put = site.put("/targets/workflow", target);
    assertThat(put.status()).isEqualTo(201);
    assertThat(put.text()).doesNotContain("MfKQ", "method");
    assertThat(changes(site.put("/workflows/" + id + "/versions/1", dag)))
        .containsExactly("nightly created");
    assertThat(schedule("nightly").at("/timing/zone")).isEqualTo("Europe/Rome");
  }

  @Test
  void a_workflow_target_is_always_called_by_post() {
    Answer refused =
        site.put(
            "/targets/" + id,
            "{\"type\": \"workflow\", \"url\": \"https://example.com/\", \"method\": \"PUT\"}");

    assertThat(refused.at("/errors/0/pointer")).isEqualTo("/method");
  }

  @Test
  void a_timeout_of_an_instance_runs_unless_it_is_canceled() {
    String path = "/workflow-instances/" + id + "/timeouts";
    String body = "{\"timeout\": \"PT15M\", \"handlerStep\": \"escalate\", \"target\": \"noop\"}";
    Answer first = site.post(path, body);
    site.clock.advance(Duration.ofMinutes(15));
    site.carillon.runDue();
    Answer second = site.post(path, body);

    assertThat(first.status()).isEqualTo(202);
    assertThat(first.at("/payload/instanceId")).isEqualTo(id);
    assertThat(first.at("/payload/timeoutHandlerStepId")).isEqualTo("escalate");
    assertThat(site.delete(path).at("/canceled")).isEqualTo("1");
    assertThat(site.delete(path).at("/canceled")).isEqualTo("0");
    assertThat(site.get("/runs/" + first.at("/id")).at("/state")).isEqualTo("succeeded");
    assertThat(site.get("/runs/" + second.at("/id")).at("/state")).isEqualTo("canceled");
  }

  @Test
  void a_timeout_needs_a_time_a_step_and_a_target_that_exists() {
    Answer refused =
        site.post(
            "/workflow-instances/" + id + "/timeouts",
            "{\"calendar\": \"it\", \"target\": \"nobody\"}");

    assertThat(refused.status()).isEqualTo(422);
    assertThat(refused.json().get("errors").findValuesAsText("pointer"))
        .containsExactlyInAnyOrder("/timeout", "/handlerStep", "/target");
  }
}
