package dev.carillon.server;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.carillon.fixture.EmbeddedPostgres;
import dev.carillon.server.web.Role;
import dev.carillon.server.web.Route;
import dev.carillon.target.LeasedRun;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** The contract of the cron jobs platform. */
@ExtendWith(EmbeddedPostgres.class)
class CronJobApiTest {
  private static final String CRON = "/api/v2/admin/cron";
  private static final String RECURRING = SourceText.of("cron-job-recurring.json");

  private final Site site;
  private final String key = "k-" + Long.toHexString(System.nanoTime());

  CronJobApiTest(DataSource source) {
    site = new Site(source);
  }

  @BeforeEach
  void targetsAreKnown() {
    site.put("/targets/calling_my_mom", "{\"type\": \"log\"}");
    site.put("/targets/elsewhere", "{\"type\": \"worker\"}");
  }

  @AfterEach
  void close() {
    site.close();
  }

  private Answer post(String path, String body) {
    return site.sendTo("POST", CRON + path, body);
  }

  private Answer patch(String path, String body) {
    return site.sendTo("PATCH", CRON + path, body);
  }

  private Answer get(String path) {
    return site.sendTo("GET", CRON + path, "");
  }

  /** Create the recurring example under a key of its own, and for another target. */
  private String job(String target) {
    ObjectNode job = (ObjectNode) Answer.parse(RECURRING);
    Answer made = post("/jobs", job.put("jobKey", key).put("target", target).toString());
    assertThat(made.status()).isEqualTo(201);
    return made.at("/id");
  }

  /** Let a worker take what is due. */
  private List<LeasedRun> fetch() {
    site.carillon.runDue();
    return site.carillon
        .carillon()
        .pullWorkers()
        .claim("w", List.of("elsewhere"), 10, Duration.ofHours(1));
  }

  private JsonNode runs() {
    return get("/runs?jobKey=" + key).json().get("items");
  }

  @Test
  void the_routes_are_those_of_the_document_and_all_need_an_administrator() {
    List<Route> routes =
        site.routes.stream().filter(route -> route.path().startsWith("/api/v2/")).toList();

    assertThat(routes)
        .extracting(Route::toString)
        .containsExactlyInAnyOrderElementsOf(SourceText.routes("cron-routes.txt"))
        .hasSize(9);
    assertThat(routes).allMatch(route -> route.role() == Role.ADMIN);
  }

  @Test
  void a_job_that_prints_a_message_every_five_minutes_shows_up_in_the_run_history() {
    Answer made = post("/jobs", RECURRING);
    String logged;
    try (var log = new LogCapture()) {
      site.carillon.pass(Duration.ofMinutes(10));
      logged = log.text();
    }
    JsonNode runs = get("/runs?jobKey=sample-heartbeat&status=succeeded").json().get("items");

    assertThat(made.status()).isEqualTo(201);
    assertThat(made.at("/nextRunAt")).isEqualTo("2026-01-01T00:05:00Z");
    assertThat(logged).contains("calling_my_mom: run ").contains("hello world");
    assertThat(runs.findValuesAsText("scheduledAt"))
        .containsExactly("2026-01-01T00:10:00Z", "2026-01-01T00:05:00Z");
    JsonNode run = get("/runs/" + runs.get(0).get("id").asText()).json();
    assertThat(run).isEqualTo(runs.get(0));
    assertThat(names(run)).containsAll(camelCase("cron-job-runs-table.txt")).contains("durationMs");
    assertThat(run.get("jobDefinitionId").asText()).isEqualTo(made.at("/id"));
    assertThat(run.get("jobVersion").asInt()).isEqualTo(1);
    assertThat(run.get("triggerType").asText()).isEqualTo("scheduled");
    assertThat(run.get("payloadSnapshot"))
        .isEqualTo(Answer.parse("{\"message\": \"hello world\"}"));
    assertThat(run.get("runnerInstanceId").asText())
        .isEqualTo(site.carillon.carillon().nodeId().toString());
    assertThat(get("/jobs/" + made.at("/id")).at("/lastRun/status")).isEqualTo("succeeded");
  }

  @Test
  void the_next_run_is_the_planned_one_and_not_in_the_run_history() {
    Answer made = post("/jobs", RECURRING.replace("sample-heartbeat", key).replace("*/5", "*"));
    site.carillon.pass(Duration.ofMinutes(2));

    assertThat(get("/jobs/" + made.at("/id")).at("/nextRunAt")).isEqualTo("2026-01-01T00:03:00Z");
    assertThat(get("/jobs?jobKey=" + key).at("/items/0/nextRunAt"))
        .isEqualTo("2026-01-01T00:03:00Z");
    assertThat(runs().findValuesAsText("scheduledAt"))
        .containsExactly("2026-01-01T00:02:00Z", "2026-01-01T00:01:00Z");
    assertThat(get("/runs?status=pending&jobKey=" + key).json().get("items")).isNotEmpty();
    site.delete("/schedules/" + key);
  }

  @Test
  void a_job_has_every_field_of_the_document() {
    Answer made = post("/jobs", RECURRING.replace("sample-heartbeat", key));

    assertThat(names(made.json())).containsAll(camelCase("cron-job-definitions-table.txt"));
    Answer.parse(RECURRING.replace("sample-heartbeat", key))
        .properties()
        .forEach(
            field ->
                assertThat(made.json().get(field.getKey()))
                    .as(field.getKey())
                    .isEqualTo(field.getValue()));
    assertThat(made.at("/status")).isEqualTo("active");
    assertThat(made.at("/version")).isEqualTo("1");
    assertThat(made.at("/createdBy")).isEqualTo("admin");
    assertThat(made.json().get("supersedesJobId").isNull()).isTrue();
    assertThat(made.headers()).containsEntry("Location", CRON + "/jobs/" + made.at("/id"));
    assertThat(get("/jobs/" + made.at("/id")).json()).isEqualTo(made.json());
  }

  @Test
  void a_job_does_not_overlap_catch_up_retry_or_resume_a_dead_run() {
    job("noop");
    Answer schedule = site.get("/schedules/" + key);

    assertThat(schedule.at("/overlap")).isEqualTo("skip");
    assertThat(schedule.at("/catchUp/mode")).isEqualTo("skip");
    assertThat(schedule.at("/retry/attempts")).isEqualTo("1");
    assertThat(schedule.at("/recovery")).isEqualTo("fail");
  }

  @Test
  void what_a_type_needs_is_required_and_what_it_has_not_is_refused() {
    String bare = "{\"jobKey\": \"%s\", \"target\": \"noop\", \"scheduleType\": \"%s\"%s}";
    String at = ", \"runAt\": \"2026-02-21T15:00:00Z\"";
    String cron = ", \"cronExpression\": \"0 0 * * *\"";

    assertThat(pointers(post("/jobs", bare.formatted(key, "recurring", ""))))
        .containsExactly("/cronExpression");
    assertThat(pointers(post("/jobs", bare.formatted(key, "one_time", ""))))
        .containsExactly("/runAt");
    assertThat(pointers(post("/jobs", bare.formatted(key, "recurring", cron + at))))
        .containsExactly("/runAt");
    assertThat(pointers(post("/jobs", bare.formatted(key, "one_time", cron + at))))
        .containsExactly("/cronExpression");
    assertThat(pointers(post("/jobs", bare.formatted(key, "often", cron))))
        .containsExactly("/scheduleType");
    assertThat(pointers(post("/jobs", "{}")))
        .containsExactlyInAnyOrder("/jobKey", "/target", "/scheduleType");
  }

  @Test
  void an_unknown_target_and_an_unknown_field_are_refused() {
    Answer target = post("/jobs", RECURRING.replace("calling_my_mom", "calling_my_dad"));
    Answer field = post("/jobs", RECURRING.replace("cronExpression", "cronExpresion"));

    assertThat(pointers(target)).containsExactly("/target");
    assertThat(target.text()).contains("did you mean calling_my_mom?");
    assertThat(pointers(field)).contains("/cronExpresion");
    assertThat(field.text()).contains("did you mean 'cronExpression'?");
  }

  @Test
  void pausing_needs_a_reason_which_is_shown() {
    String path = "/jobs/" + job("noop");

    assertThat(pointers(patch(path + "/pause", ""))).containsExactly("/reason");
    assertThat(pointers(patch(path + "/pause", "{}"))).containsExactly("/reason");
    assertThat(pointers(patch(path + "/pause", "{\"reason\": \" \"}"))).containsExactly("/reason");
    assertThat(get(path).at("/status")).isEqualTo("active");

    Answer paused = patch(path + "/pause", "{\"reason\": \"it fails\"}");
    site.carillon.pass(Duration.ofMinutes(11));

    assertThat(paused.status()).isEqualTo(200);
    assertThat(paused.at("/status")).isEqualTo("paused");
    assertThat(paused.at("/pauseReason")).isEqualTo("it fails");
    assertThat(paused.json().get("nextRunAt").isNull()).isTrue();
    assertThat(runs()).isEmpty();

    Answer resumed = patch(path + "/resume", "");
    site.carillon.pass(Duration.ofMinutes(5));

    assertThat(resumed.at("/status")).isEqualTo("active");
    assertThat(resumed.json().get("pauseReason").isNull()).isTrue();
    assertThat(runs().findValuesAsText("scheduledAt")).contains("2026-01-01T00:15:00Z");
  }

  @Test
  void a_new_version_replaces_a_failing_job_and_fires() {
    String failing = job("fail");
    patch("/jobs/" + failing + "/pause", "{\"reason\": \"it fails\"}");
    Answer next = post("/jobs/" + failing + "/new-version", "{\"target\": \"noop\"}");
    site.carillon.pass(Duration.ofMinutes(5));
    Answer before = get("/jobs/" + failing);
    Answer all = get("/jobs?jobKey=" + key);

    assertThat(next.status()).isEqualTo(201);
    assertThat(next.at("/version")).isEqualTo("2");
    assertThat(next.at("/status")).isEqualTo("active");
    assertThat(next.at("/supersedesJobId")).isEqualTo(failing);
    assertThat(next.at("/cronExpression")).isEqualTo("*/5 * * * *");
    assertThat(next.at("/payload/message")).isEqualTo("hello world");
    assertThat(before.at("/status")).isEqualTo("retired");
    assertThat(before.at("/target")).isEqualTo("fail");
    assertThat(all.json().get("items").findValuesAsText("version")).containsExactly("2", "1");
    assertThat(runs().get(0).get("jobDefinitionId").asText()).isEqualTo(next.at("/id"));
    assertThat(runs().get(0).get("status").asText()).isEqualTo("succeeded");
    for (String action : List.of("new-version", "run-now")) {
      assertThat(post("/jobs/" + failing + "/" + action, "{}").status()).isEqualTo(409);
    }
    assertThat(patch("/jobs/" + failing + "/pause", "{\"reason\": \"why not\"}").status())
        .isEqualTo(409);
  }

  @Test
  void a_job_shows_its_own_last_run_and_failures_in_a_row_and_not_those_of_other_versions() {
    String failing = job("fail");
    site.carillon.pass(Duration.ofMinutes(16));
    Answer good = post("/jobs/" + failing + "/new-version", "{\"target\": \"noop\"}");
    Answer before = get("/jobs/" + failing);
    site.carillon.pass(Duration.ofMinutes(5));
    Answer bad = post("/jobs/" + good.at("/id") + "/new-version", "{\"target\": \"fail\"}");
    site.carillon.pass(Duration.ofMinutes(10));

    assertThat(good.json().get("lastRun").isNull()).isTrue();
    assertThat(good.at("/consecutiveFailures")).isEqualTo("0");
    assertThat(before.at("/lastRun/scheduledAt")).isEqualTo("2026-01-01T00:15:00Z");
    assertThat(before.at("/consecutiveFailures")).isEqualTo("3");
    JsonNode versions = get("/jobs?jobKey=" + key).json().get("items");
    assertThat(versions.findValuesAsText("consecutiveFailures")).containsExactly("2", "0", "3");
    assertThat(versions.at("/0/id").asText()).isEqualTo(bad.at("/id"));
    assertThat(versions.at("/0/lastRun/scheduledAt").asText()).isEqualTo("2026-01-01T00:30:00Z");
    assertThat(versions.at("/1/lastRun/status").asText()).isEqualTo("succeeded");
    assertThat(versions.at("/2/lastRun/scheduledAt").asText()).isEqualTo("2026-01-01T00:15:00Z");
    assertThat(get("/jobs?target=fail").json().findParents("jobKey").toString())
        .contains("\"consecutiveFailures\":2");
  }

  @Test
  void many_failures_in_a_row_are_all_counted() {
    String id = job("fail");
    site.carillon.pass(Duration.ofMinutes(5 * 30));

    assertThat(get("/jobs/" + id).at("/consecutiveFailures")).isEqualTo("30");
    assertThat(get("/jobs?jobKey=" + key).at("/items/0/consecutiveFailures")).isEqualTo("30");
  }

  @Test
  void a_success_ends_the_failures_in_a_row() {
    String path = "/jobs/" + job("elsewhere");
    report(path, "{\"status\": \"failed\", \"failure\": {\"code\": \"x\"}}");
    report(path, "{\"status\": \"succeeded\"}");
    report(path, "{\"status\": \"failed\", \"failure\": {\"code\": \"x\"}}");

    assertThat(get(path).at("/consecutiveFailures")).isEqualTo("1");
  }

  /** Run a job now, and have its worker report. */
  private Answer report(String path, String body) {
    String run = post(path + "/run-now", "").at("/id");
    String fence = fetch().get(0).lease().fence();
    site.clock.advance(Duration.ofSeconds(1));
    String proved = "{\"fence\": \"%s\", %s".formatted(fence, body.substring(1));
    return site.post("/runs/" + run + "/status", proved);
  }

  @Test
  void details_of_a_failure_are_json_if_they_were_given_so() {
    String path = "/jobs/" + job("elsewhere");
    String failed = "{\"status\": \"failed\", \"failure\": {\"code\": \"x\", \"details\": %s}}";
    String object = report(path, failed.formatted("{\"step\": {\"id\": 7}}")).at("/id");
    String text = report(path, failed.formatted("\"[step 7] broke\"")).at("/id");
    String written = report(path, failed.formatted("\"{\\\"step\\\": 8}\"")).at("/id");

    assertThat(get("/runs/" + object).json().at("/failureDetails/step/id").asInt()).isEqualTo(7);
    assertThat(get("/runs/" + text).at("/failureDetails")).isEqualTo("[step 7] broke");
    assertThat(get("/runs/" + written).json().at("/failureDetails/step").asInt()).isEqualTo(8);
    assertThat(site.get("/runs/" + object).at("/failure/details"))
        .isEqualTo("{\"step\":{\"id\":7}}");
  }

  @Test
  void a_payload_may_be_null() {
    ObjectNode job = (ObjectNode) Answer.parse(RECURRING);
    Answer made = post("/jobs", job.put("jobKey", key).putNull("payload").toString());
    Answer next = post("/jobs/" + made.at("/id") + "/new-version", "{\"payload\": {\"a\": 1}}");
    Answer again = post("/jobs/" + next.at("/id") + "/new-version", "{\"payload\": null}");

    assertThat(made.status()).isEqualTo(201);
    assertThat(made.json().get("payload")).isEmpty();
    assertThat(next.at("/payload/a")).isEqualTo("1");
    assertThat(again.status()).isEqualTo(201);
    assertThat(again.json().get("payload")).isEmpty();
  }

  @Test
  void a_new_version_may_be_of_another_type_but_not_of_another_key() {
    String path = "/jobs/" + job("noop") + "/new-version";

    assertThat(pointers(post(path, "{\"jobKey\": \"other\"}"))).containsExactly("/jobKey");
    assertThat(pointers(post(path, "{\"runAt\": \"2026-05-01T00:00:00Z\"}")))
        .containsExactly("/runAt");
    assertThat(post(path, "{}").status()).isEqualTo(200);

    Answer once =
        post(path, "{\"scheduleType\": \"one_time\", \"runAt\": \"2026-05-01T00:00:00Z\"}");

    assertThat(once.status()).isEqualTo(201);
    assertThat(once.json().get("cronExpression").isNull()).isTrue();
  }

  @Test
  void running_now_obeys_the_overlap_rule() {
    String path = "/jobs/" + job("elsewhere") + "/run-now";
    Answer first = post(path, "");
    fetch();
    Answer second = post(path, "{}");
    fetch();

    assertThat(first.status()).isEqualTo(202);
    assertThat(first.at("/triggerType")).isEqualTo("manual");
    assertThat(first.headers()).containsEntry("Location", CRON + "/runs/" + first.at("/id"));
    assertThat(get("/runs/" + first.at("/id")).at("/status")).isEqualTo("running");
    assertThat(get("/runs/" + second.at("/id")).at("/status")).isEqualTo("skipped");
  }

  @Test
  void a_failed_run_says_why() {
    post("/jobs/" + job("fail") + "/run-now", "");
    site.carillon.runDue();
    JsonNode run = get("/runs?status=failed&target=fail&triggerType=manual").json().at("/items/0");

    assertThat(run.get("failureCode").asText()).isNotEmpty();
    assertThat(run.get("failureMessage").asText()).contains("broken on purpose");
    assertThat(run.get("failureDetails").asText()).contains("IllegalStateException");
    assertThat(run.get("startedAt").isNull()).isFalse();
    assertThat(run.get("finishedAt").isNull()).isFalse();
    assertThat(run.get("durationMs").isIntegralNumber()).isTrue();
    assertThat(run.get("runnerInstanceId").isNull()).isFalse();
  }

  @Test
  void a_run_was_last_updated_when_it_last_changed() {
    site.put(
        "/schedules/" + key,
        """
        {"target": "fail", "timing": {"cron": "0 0 1 2 *"},
         "retry": {"attempts": 2, "backoff": "PT1H", "maxBackoff": "PT1H"}}
        """);
    String id = site.post("/schedules/%s/run".formatted(key), "{}").at("/id");
    Answer made = get("/runs/" + id);
    site.clock.advance(Duration.ofSeconds(7));
    site.carillon.runDue();
    Answer waiting = get("/runs/" + id);
    site.carillon.pass(Duration.ofHours(1));
    Answer failed = get("/runs/" + id);

    assertThat(made.at("/createdAt")).isEqualTo("2026-01-01T00:00:00Z");
    assertThat(made.at("/updatedAt")).isEqualTo("2026-01-01T00:00:00Z");
    assertThat(waiting.at("/status")).isEqualTo("pending");
    assertThat(waiting.at("/updatedAt")).isEqualTo("2026-01-01T00:00:07Z");
    assertThat(failed.at("/status")).isEqualTo("failed");
    assertThat(failed.at("/createdAt")).isEqualTo("2026-01-01T00:00:00Z");
    assertThat(failed.at("/updatedAt")).isEqualTo(failed.at("/finishedAt"));
  }

  @Test
  void work_without_a_job_is_in_the_history_too() {
    String run = site.post("/runs", "{\"target\": \"noop\"}").at("/id");
    Answer told = get("/runs/" + run);

    assertThat(told.at("/triggerType")).isEqualTo("ad_hoc");
    assertThat(told.json().get("jobDefinitionId").isNull()).isTrue();
    assertThat(told.json().get("jobKey").isNull()).isTrue();
  }

  @Test
  void jobs_are_listed_by_status_and_target() {
    String id = job("noop");
    patch("/jobs/" + id + "/pause", "{\"reason\": \"later\"}");

    assertThat(ids("/jobs?status=paused&target=noop")).contains(id);
    assertThat(ids("/jobs?status=active")).doesNotContain(id);
    assertThat(ids("/jobs?target=fail")).doesNotContain(id);
    assertThat(ids("/jobs?limit=500")).contains(id);
    assertThat(ids("/jobs?jobKey=" + key + "&status=paused")).containsExactly(id);
    assertThat(ids("/jobs?jobKey=" + key + "&status=active")).isEmpty();
    assertThat(ids("/jobs?jobKey=" + key + "&target=fail")).isEmpty();
    assertThat(ids("/jobs?jobKey=nobody")).isEmpty();
    assertThat(get("/jobs?status=sleeping").status()).isEqualTo(400);
  }

  @Test
  void what_is_not_there_is_not_found() {
    String other = job("noop").replaceFirst("^.{8}", "0000ffff");

    for (String id : List.of("x", other, "00000000-0000-0000-0000-000000000000")) {
      assertThat(get("/jobs/" + id).status()).isEqualTo(404);
      assertThat(get("/runs/" + id).status()).isEqualTo(404);
      assertThat(post("/jobs/" + id + "/run-now", "").status()).isEqualTo(404);
    }
  }

  @Test
  void every_change_is_in_the_audit() {
    String path = "/jobs/" + job("noop");
    patch(path + "/pause", "{\"reason\": \"later\"}");
    post(path + "/new-version", "{\"payload\": {}}");

    assertThat(site.get("/audit?schedule=" + key).json().get("items").findValuesAsText("action"))
        .contains("schedule.created", "schedule.paused", "schedule.resumed")
        .hasSize(4);
  }

  private List<String> ids(String path) {
    return get(path).json().get("items").findValuesAsText("id");
  }

  private static List<String> pointers(Answer answer) {
    assertThat(answer.status()).as(answer.text()).isEqualTo(422);
    return answer.json().findValuesAsText("pointer");
  }

  private static List<String> camelCase(String table) {
    return SourceText.columns(table).stream().map(SourceText::camelCase).toList();
  }

  private static List<String> names(JsonNode object) {
    var names = new ArrayList<String>();
    object.fieldNames().forEachRemaining(names::add);
    return names;
  }
}
