package dev.carillon.server;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.carillon.fixture.EmbeddedPostgres;
import dev.carillon.fixture.Psql;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@ExtendWith(EmbeddedPostgres.class)
class ScheduleApiTest {
  private static final String NIGHTLY =
      """
      {"target": "noop", "timing": {"cron": "0 2 * * *", "zone": "Europe/Rome"}, "payload": {"to": "ops"}}
      """;

  private final Site site;
  private final String key = "nightly-" + Long.toHexString(System.nanoTime());

  ScheduleApiTest(DataSource source) {
    site = new Site(source);
  }

  @AfterEach
  void close() {
    site.close();
  }

  @Test
  void a_payload_as_deep_as_a_body_may_be_is_shown_with_what_changes() {
    String deep = "{\"a\":".repeat(48) + "1" + "}".repeat(48);
    String body = "{\"target\": \"noop\", \"timing\": {\"every\": \"PT1H\"}, \"payload\": %s}";
    site.put("/schedules/deep", body.formatted(deep));

    Answer dry = site.put("/schedules/deep?dryRun=true", body.formatted("{}"));

    assertThat(dry.status()).isEqualTo(200);
    assertThat(dry.text()).contains(deep);
  }

  @Test
  void a_schedule_that_ran_its_course_is_completed_and_not_retired() {
    String other = key + "-other";
    site.put("/schedules/" + key, "{\"target\": \"noop\", \"timing\": {\"in\": \"PT1M\"}}");
    site.put("/schedules/" + other, "{\"target\": \"noop\", \"timing\": {\"every\": \"PT1H\"}}");
    site.delete("/schedules/" + other);
    site.carillon.pass(Duration.ofMinutes(2));

    assertThat(site.get("/schedules/" + key).at("/status")).isEqualTo("completed");
    assertThat(site.get("/schedules/" + other).at("/status")).isEqualTo("retired");
    assertThat(keys("status=completed&q=" + key)).containsExactly(key);
    assertThat(keys("status=retired&q=" + key)).containsExactly(other);
    assertThat(keys("q=" + key)).isEmpty();
    Answer job = site.sendTo("GET", "/api/v2/admin/cron/jobs?jobKey=" + key, "");
    assertThat(job.at("/items/0/status")).isEqualTo("retired");
    assertThat(job.at("/items/0/completed")).isEqualTo("true");

    assertThat(site.delete("/schedules/" + key).at("/status")).isEqualTo("retired");
    assertThat(keys("status=completed&q=" + key)).isEmpty();
    assertThat(
            site.put(
                    "/schedules/" + key,
                    "{\"target\": \"noop\", \"timing\": {\"every\": \"PT1H\"}, \"maxRuns\": 1}")
                .at("/status"))
        .isEqualTo("active");
    site.carillon.pass(Duration.ofHours(2));
    assertThat(site.get("/schedules/" + key).at("/status")).isEqualTo("completed");
  }

  private List<String> keys(String query) {
    return site.get("/schedules?" + query).json().at("/items").findValuesAsText("key");
  }

  @Test
  void a_schedule_is_created_changed_and_left_alone_by_put() {
    Answer created = site.put("/schedules/" + key, NIGHTLY);
    Answer same = site.put("/schedules/" + key, NIGHTLY);
    Answer changed = site.put("/schedules/" + key, NIGHTLY.replace("0 2", "0 3"));

    assertThat(created.status()).isEqualTo(201);
    assertThat(created.headers()).containsEntry("ETag", "\"1\"");
    assertThat(created.at("/next/0")).isEqualTo("2026-01-01T01:00:00Z");
    assertThat(created.json().at("/next")).hasSize(5);
    assertThat(created.at("/createdBy")).isEqualTo("admin");
    assertThat(same.status()).isEqualTo(200);
    assertThat(same.at("/version")).isEqualTo("1");
    assertThat(changed.status()).isEqualTo(200);
    assertThat(changed.at("/version")).isEqualTo("2");
  }

  @Test
  void a_whole_definition_comes_back_as_it_was_given() {
    String whole =
        """
        {"target": "noop", "payload": {"deep": {"list": [1, 2.5, null, "x"]}},
         "timing": {"cron": "0 2 * * *", "zone": "Europe/Rome", "dstGap": "skip", "dstOverlap": "both"},
         "window": {"from": "2026-01-01T00:00:00Z", "until": null}, "jitter": "PT10S", "jitterMode": "after",
         "overlap": "queue", "queueLimit": 7,
         "catchUp": {"mode": "once", "limit": 10, "maxAge": "P1D", "grace": "PT10S"},
         "retry": {"attempts": 3, "backoff": "PT2S", "factor": 2.0, "maxBackoff": "PT5M", "calendar": null},
         "recovery": "fail", "timeout": "PT10M", "pauseAfterFailures": 5, "maxRuns": 9,
         "description": "what it is for", "tags": ["a", "b"]}
        """;
    var back = site.put("/schedules/" + key, whole).json();

    Answer.parse(whole)
        .properties()
        .forEach(
            field ->
                assertThat(back.get(field.getKey()))
                    .as(field.getKey())
                    .isEqualTo(field.getValue()));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{\"cron\": \"0 2 * * *\"}",
        "{\"at\": \"2026-02-01T00:00:00Z\"}",
        "{\"in\": \"P3D\"}"
      })
  void a_cron_timing_or_a_one_shot_that_does_not_say_catches_up_once(String timing) {
    assertThat(put(timing).json().get("catchUp"))
        .isEqualTo(
            Answer.parse(
                "{\"mode\": \"once\", \"limit\": 10000, \"maxAge\": \"P1D\", \"grace\": \"PT5M\"}"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"{\"every\": \"PT30S\"}", "{\"cron\": \"@every 90s\"}"})
  void an_interval_that_does_not_say_skips_what_was_missed(String timing) {
    assertThat(put(timing).json().get("catchUp"))
        .isEqualTo(
            Answer.parse(
                "{\"mode\": \"skip\", \"limit\": 10000, \"maxAge\": null, \"grace\": \"PT10S\"}"));
  }

  @Test
  void what_is_said_of_catch_up_outweighs_what_is_usual_and_the_rest_is_as_usual() {
    String definition =
        "{\"target\": \"noop\", \"timing\": {\"cron\": \"0 2 * * *\"}, \"catchUp\": %s}";

    assertThat(
            site.put("/schedules/" + key, definition.formatted("{\"mode\": \"fire_immediately\"}"))
                .json()
                .get("catchUp"))
        .isEqualTo(
            Answer.parse(
                "{\"mode\": \"fire_immediately\", \"limit\": 10000, \"maxAge\": \"P1D\", \"grace\": \"PT5M\"}"));
    Answer anyAge = site.put("/schedules/" + key, definition.formatted("{\"maxAge\": null}"));
    assertThat(anyAge.json().get("catchUp"))
        .isEqualTo(
            Answer.parse(
                "{\"mode\": \"once\", \"limit\": 10000, \"maxAge\": null, \"grace\": \"PT5M\"}"));
    Answer again =
        site.put(
            "/schedules/" + key, definition.formatted(anyAge.json().get("catchUp").toString()));
    assertThat(again.at("/version")).isEqualTo(anyAge.at("/version"));
  }

  @Test
  void a_patch_takes_the_greatest_age_away_and_brings_back_what_is_usual() {
    put("{\"cron\": \"0 2 * * *\"}");

    Answer anyAge = site.patch("/schedules/" + key, "{\"catchUp\": {\"maxAge\": null}}");
    assertThat(anyAge.json().at("/catchUp/maxAge").isNull()).isTrue();
    assertThat(anyAge.at("/catchUp/mode")).isEqualTo("once");
    Answer still = site.patch("/schedules/" + key, "{\"catchUp\": {\"mode\": \"all\"}}");
    assertThat(still.json().at("/catchUp/maxAge").isNull()).isTrue();
    Answer usual = site.patch("/schedules/" + key, "{\"catchUp\": null}");
    assertThat(usual.at("/catchUp/mode")).isEqualTo("once");
    assertThat(usual.at("/catchUp/maxAge")).isEqualTo("P1D");
  }

  @Test
  void other_kinds_of_timing_are_stored_too() {
    assertThat(put("{\"every\": \"PT30S\", \"after\": \"finish\"}").at("/timing/after"))
        .isEqualTo("finish");
    assertThat(put("{\"at\": \"2026-02-01T00:00:00+01:00\"}").at("/timing/at"))
        .isEqualTo("2026-01-31T23:00:00Z");
    assertThat(put("{\"in\": \"P3D\"}").at("/timing/at")).isEqualTo("2026-01-04T00:00:00Z");
    assertThat(put("{\"cron\": \"@every 90s\"}").at("/timing/every")).isEqualTo("PT1M30S");
  }

  @Test
  void a_patch_can_be_tried_first_and_shows_both_sides_of_every_change() {
    site.put("/schedules/" + key, NIGHTLY);
    String patch = "{\"timing\": {\"every\": \"1h30m\"}}";

    Answer tried = site.patch("/schedules/" + key + "?dryRun=true", patch);

    assertThat(tried.at("/result")).isEqualTo("new_version");
    assertThat(tried.at("/changes/0/field")).isEqualTo("timing");
    assertThat(tried.at("/changes/0/from/cron")).isEqualTo("0 2 * * *");
    assertThat(tried.at("/changes/0/to/every")).isEqualTo("PT1H30M");
    assertThat(site.get("/schedules/" + key).at("/version")).isEqualTo("1");
    assertThat(site.patch("/schedules/" + key, patch).at("/version")).isEqualTo("2");
    assertThat(site.patch("/schedules/" + key + "?dryRun=true", patch).at("/result"))
        .isEqualTo("unchanged");
  }

  @Test
  void the_key_of_a_retired_schedule_is_refused_as_that() {
    site.put("/schedules/" + key, NIGHTLY);
    site.delete("/schedules/" + key);

    Answer refused =
        site.post(
            "/schedules",
            "{\"key\": \"%s\", \"target\": \"noop\", \"timing\": {\"every\": \"1h\"}}"
                .formatted(key));

    assertThat(refused.status()).isEqualTo(409);
    assertThat(refused.at("/code")).isEqualTo("schedule-retired");
    assertThat(refused.at("/detail")).contains("PUT it to make it fire again");
  }

  private Answer put(String timing) {
    return site.put(
        "/schedules/" + key, "{\"target\": \"noop\", \"timing\": %s}".formatted(timing));
  }

  @Test
  void every_error_of_a_definition_is_reported_with_its_place() {
    Answer answer =
        site.put(
            "/schedules/" + key,
            """
            {"target": "nop", "timing": {"cron": "61 * * * *", "zone": "Europe/Roma"}, "jitter": "10 s",
             "overlap": "skipp", "catchUp": {"limit": 0}, "retry": {"attempts": 3, "factr": 2}, "quietHours": ["night"],
             "tags": "a", "payload": []}
            """);

    assertThat(answer.status()).isEqualTo(422);
    assertThat(answer.at("/code")).isEqualTo("invalid-input");
    assertThat(answer.json().at("/errors").findValuesAsText("pointer"))
        .containsExactlyInAnyOrder(
            "/target",
            "/timing/zone",
            "/timing/cron",
            "/jitter",
            "/overlap",
            "/catchUp/limit",
            "/retry/factr",
            "/quietHours",
            "/tags",
            "/payload");
    assertThat(answer.text())
        .contains("did you mean noop?", "did you mean 'factor'?", "did you mean Europe/Rome?");
    assertThat(site.get("/schedules/" + key).status()).isEqualTo(404);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{} | /target,/timing",
        "{\"target\": \"noop\", \"timing\": {}} | /timing",
        "{\"target\": \"noop\", \"timing\": {\"cron\": \"* * * * *\", \"every\": \"PT1M\"}} | /timing",
        "{\"target\": \"noop\", \"timing\": {\"every\": \"PT0.5S\"}} | /timing/every",
        "{\"target\": \"noop\", \"timing\": {\"every\": \"PT1M\", \"zone\": \"UTC\"}} | /timing/zone",
        "{\"target\": \"noop\", \"timing\": {\"in\": \"PT1S\"}, \"queueLimit\": 3} | /queueLimit",
        "{\"key\": \"other\", \"target\": \"noop\", \"timing\": {\"in\": \"PT1S\"}} | /key"
      })
  void a_definition_that_makes_no_sense_is_refused(String body, String pointers) {
    Answer answer = site.put("/schedules/" + key, body);

    assertThat(answer.status()).isEqualTo(422);
    assertThat(answer.json().at("/errors").findValuesAsText("pointer"))
        .isEqualTo(List.of(pointers.split(",", -1)));
  }

  @Test
  void post_makes_up_a_key_and_refuses_one_that_is_taken() {
    Answer named =
        site.post(
            "/schedules", NIGHTLY.replace("{\"target\"", "{\"key\": \"" + key + "\", \"target\""));
    Answer taken =
        site.post(
            "/schedules", NIGHTLY.replace("{\"target\"", "{\"key\": \"" + key + "\", \"target\""));
    Answer unnamed = site.post("/schedules", NIGHTLY);

    assertThat(named.status()).isEqualTo(201);
    assertThat(taken.status()).isEqualTo(409);
    assertThat(taken.at("/code")).isEqualTo("key-taken");
    assertThat(unnamed.at("/key")).hasSize(36);
  }

  @Test
  void a_repeated_post_with_a_key_has_the_effect_of_one() {
    var request = site.request("POST", "/schedules", NIGHTLY).header("Idempotency-Key", key);
    Answer first = site.send(request);
    Answer again = site.send(request);
    Answer other = site.send(request.body(NIGHTLY.replace("0 2", "0 4")));

    assertThat(first.status()).isEqualTo(201);
    assertThat(again.status()).isEqualTo(201);
    assertThat(again.text()).isEqualTo(first.text());
    assertThat(again.headers()).containsEntry("ETag", "\"1\"").containsKey("Idempotency-Replayed");
    assertThat(other.status()).isEqualTo(422);
    assertThat(other.at("/code")).isEqualTo("idempotency-key-reused");
  }

  @Test
  void a_request_that_was_refused_may_be_mended_and_sent_again() {
    var request = site.request("POST", "/schedules", "{}").header("Idempotency-Key", key);

    assertThat(site.send(request).status()).isEqualTo(422);
    assertThat(site.send(request.body(NIGHTLY)).status()).isEqualTo(201);
  }

  @Test
  void an_edit_may_say_which_version_it_changes() {
    site.put("/schedules/" + key, NIGHTLY);
    var put = site.request("PUT", "/schedules/" + key, NIGHTLY.replace("0 2", "0 5"));

    assertThat(site.send(put.header("If-Match", "\"7\"")).status()).isEqualTo(412);
    assertThat(site.send(put.header("If-Match", "nonsense")).status()).isEqualTo(412);
    assertThat(site.send(put.header("If-None-Match", "*")).status()).isEqualTo(412);
    assertThat(site.send(put.header("If-Match", "\"1\"")).at("/version")).isEqualTo("2");
    assertThat(site.send(put.header("If-Match", "\"1\"")).status()).isEqualTo(412);
    assertThat(site.send(put.header("If-Match", "*")).status()).isEqualTo(200);
    var patch = site.request("PATCH", "/schedules/" + key, "{\"maxRuns\": 3}");
    assertThat(site.send(patch.header("If-Match", "\"1\"")).status()).isEqualTo(412);
    assertThat(site.send(patch.header("If-Match", "\"2\"")).at("/version")).isEqualTo("3");
    var delete = site.request("DELETE", "/schedules/" + key, "");
    assertThat(site.send(delete.header("If-Match", "\"1\"")).status()).isEqualTo(412);
    assertThat(site.send(delete.header("If-None-Match", "*")).status()).isEqualTo(412);
    assertThat(site.send(delete.header("If-Match", "\"3\"")).at("/status")).isEqualTo("retired");
    var absent = site.request("PUT", "/schedules/" + key + "-new", NIGHTLY);
    assertThat(site.send(absent.header("If-Match", "*")).status()).isEqualTo(412);
    assertThat(site.send(absent.header("If-None-Match", "*")).status()).isEqualTo(201);
  }

  @Test
  void a_patch_changes_what_it_names_and_null_takes_away() {
    site.put(
        "/schedules/" + key, NIGHTLY.replace("{\"target\"", "{\"timeout\": \"PT1M\", \"target\""));
    Answer patched =
        site.patch(
            "/schedules/" + key,
            "{\"timeout\": null, \"payload\": {\"to\": null, \"from\": \"me\"}, \"overlap\": \"queue\"}");
    Answer switched =
        site.patch(
            "/schedules/" + key, "{\"timing\": {\"every\": \"PT5M\"}, \"overlap\": \"skip\"}");
    Answer refused = site.patch("/schedules/" + key, "{\"timing\": null, \"maxRun\": 1}");

    assertThat(patched.json().get("timeout").isNull()).isTrue();
    assertThat(patched.json().get("payload")).isEqualTo(Answer.parse("{\"from\": \"me\"}"));
    assertThat(patched.at("/timing/cron")).isEqualTo("0 2 * * *");
    assertThat(patched.at("/queueLimit")).isEqualTo("100");
    assertThat(switched.at("/timing/every")).isEqualTo("PT5M");
    assertThat(switched.json().at("/timing/cron").isMissingNode()).isTrue();
    assertThat(refused.json().at("/errors").findValuesAsText("pointer"))
        .containsExactly("/timing", "/maxRun");
    assertThat(site.patch("/schedules/none", "{}").status()).isEqualTo(404);
  }

  @Test
  void lists_are_paged_and_filtered() {
    for (int i = 0; i < 5; i++) {
      site.put(
          "/schedules/" + key + "-" + i,
          "{\"target\": \"noop\", \"timing\": {\"every\": \"PT1H\"}, \"tags\": [\"%s\"], \"payload\": {\"n\": %s}}"
              .formatted(key, i));
    }
    Answer first = site.get("/schedules?tag=%s&limit=2".formatted(key));
    Answer second =
        site.get("/schedules?tag=%s&limit=2&cursor=%s".formatted(key, first.at("/nextCursor")));
    Answer third =
        site.get("/schedules?tag=%s&limit=2&cursor=%s".formatted(key, second.at("/nextCursor")));

    assertThat(first.json().at("/items").findValuesAsText("key"))
        .containsExactly(key + "-0", key + "-1");
    assertThat(second.json().at("/items").findValuesAsText("key"))
        .containsExactly(key + "-2", key + "-3");
    assertThat(third.json().at("/items").findValuesAsText("key")).containsExactly(key + "-4");
    assertThat(third.json().at("/nextCursor").isNull()).isTrue();
    assertThat(
            site.get("/schedules?q=%s&payload=%%7B%%22n%%22:3%%7D".formatted(key))
                .json()
                .at("/items"))
        .hasSize(1);
    assertThat(site.get("/schedules?status=paused&q=" + key).json().at("/items")).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({
    "limit=0,limit",
    "limit=501,limit",
    "limit=x,limit",
    "cursor=%25,cursor",
    "status=on,status",
    "payload=1,payload",
    "payload=%7B,payload",
    "stats=paused,stats"
  })
  void a_query_that_makes_no_sense_is_refused(String query, String parameter) {
    Answer answer = site.get("/schedules?" + query);

    assertThat(answer.status()).isEqualTo(400);
    assertThat(answer.at("/errors/0/parameter")).isEqualTo(parameter);
  }

  @Test
  void a_version_that_was_removed_is_told_from_one_that_never_was(DataSource source) {
    site.put("/schedules/" + key, NIGHTLY);
    site.patch("/schedules/" + key, "{\"description\": \"two\"}");
    new Psql(source)
        .execute(
            """
            delete from carillon.schedule_version
             using carillon.schedule
             where schedule.id = schedule_id and schedule.key = '%s' and schedule_version.version = 1
            """
                .formatted(key));

    for (Answer gone :
        List.of(
            site.get("/schedules/" + key + "/versions/1"),
            site.post("/schedules/" + key + "/rollback", "{\"version\": 1}"))) {
      assertThat(gone.status()).isEqualTo(404);
      assertThat(gone.at("/code")).isEqualTo("version-unknown");
      assertThat(gone.at("/detail")).contains("no longer has this version");
    }
    assertThat(site.post("/schedules/" + key + "/rollback", "{\"version\": 7}").at("/detail"))
        .contains("never had this version");
    assertThat(site.get("/schedules/" + key + "/versions/2").at("/supersedes")).isEqualTo("1");
  }

  @Test
  void versions_are_listed_compared_and_gone_back_to() {
    site.put("/schedules/" + key, NIGHTLY);
    site.patch("/schedules/" + key, "{\"description\": \"two\"}");
    site.patch("/schedules/" + key, "{\"description\": \"three\", \"overlap\": \"allow\"}");

    assertThat(
            site.get("/schedules/" + key + "/versions")
                .json()
                .at("/items")
                .findValuesAsText("version"))
        .containsExactly("3", "2", "1");
    assertThat(site.get("/schedules/" + key + "/versions?limit=2").at("/nextCursor"))
        .isNotEqualTo("null");
    assertThat(site.get("/schedules/" + key + "/versions/2").at("/description")).isEqualTo("two");
    assertThat(site.get("/schedules/" + key + "/versions/2").at("/supersedes")).isEqualTo("1");
    assertThat(site.get("/schedules/" + key + "/versions/9").at("/code"))
        .isEqualTo("version-unknown");
    assertThat(site.get("/schedules/" + key + "/versions/x").status()).isEqualTo(404);
    assertThat(site.get("/schedules/none/versions").at("/code")).isEqualTo("schedule-unknown");
    assertThat(site.get("/schedules/" + key + "/versions/1/diff").json().at("/changes"))
        .isEqualTo(
            Answer.parse(
                "[{\"field\":\"overlap\",\"from\":\"skip\",\"to\":\"allow\"},{\"field\":\"description\",\"from\":\"\",\"to\":\"three\"}]"));
    assertThat(site.get("/schedules/" + key + "/versions/1/diff?to=2").json().at("/changes"))
        .hasSize(1);
    Answer back = site.post("/schedules/" + key + "/rollback", "{\"version\": 1}");
    assertThat(back.at("/version")).isEqualTo("4");
    assertThat(back.at("/description")).isEmpty();
    assertThat(site.post("/schedules/" + key + "/rollback", "{\"version\": 44}").status())
        .isEqualTo(404);
    assertThat(site.post("/schedules/" + key + "/rollback", "{}").status()).isEqualTo(422);
  }

  @Test
  void a_pause_needs_a_reason_and_resume_ends_it() {
    site.put("/schedules/" + key, NIGHTLY);

    assertThat(site.post("/schedules/" + key + "/pause", "").status()).isEqualTo(422);
    assertThat(
            site.post("/schedules/" + key + "/pause", "{\"reason\": \" \"}")
                .at("/errors/0/pointer"))
        .isEqualTo("/reason");
    Answer paused =
        site.post(
            "/schedules/" + key + "/pause",
            "{\"reason\": \"the moon\", \"until\": \"2026-01-03T00:00:00Z\"}");
    assertThat(paused.at("/status")).isEqualTo("paused");
    assertThat(paused.at("/pauseReason")).isEqualTo("the moon");
    assertThat(paused.at("/pausedUntil")).isEqualTo("2026-01-03T00:00:00Z");
    assertThat(
            site.post(
                    "/schedules/" + key + "/pause",
                    "{\"reason\": \"x\", \"until\": \"2025-01-01T00:00:00Z\"}")
                .status())
        .isEqualTo(422);
    assertThat(site.post("/schedules/" + key + "/resume", "").at("/status")).isEqualTo("active");
    assertThat(site.post("/schedules/none/resume", "").status()).isEqualTo(404);
    assertThat(site.get("/audit?schedule=" + key).json().at("/items").findValuesAsText("action"))
        .contains("schedule.created", "schedule.paused", "schedule.resumed");
  }

  @Test
  void a_pause_may_begin_later_is_shown_and_can_be_canceled() {
    site.put("/schedules/" + key, "{\"target\": \"noop\", \"timing\": {\"every\": \"PT1H\"}}");
    String pause = "/schedules/" + key + "/pause";
    Instant from = site.clock.instant().plus(Duration.ofHours(5));
    String body = "{\"reason\": \"the moon\", \"from\": \"%s\", \"until\": \"%s\"}";

    Answer empty = site.post(pause, body.formatted(from, from));
    assertThat(empty.status()).isEqualTo(422);
    assertThat(empty.at("/errors/0/pointer")).isEqualTo("/until");

    Answer planned = site.post(pause, body.formatted(from, from.plusSeconds(7_200)));
    assertThat(planned.at("/status")).isEqualTo("active");
    assertThat(planned.at("/pauseReason")).isEqualTo("null");
    JsonNode told = site.get("/schedules/" + key).json().at("/comingPause");
    assertThat(told.path("from").asText()).isEqualTo(from.toString());
    assertThat(told.path("until").asText()).isEqualTo(from.plusSeconds(7_200).toString());
    assertThat(told.path("reason").asText()).isEqualTo("the moon");
    assertThat(
            site.get("/schedules/" + key + "/fires?from=" + from + "&to=" + from.plusSeconds(7_199))
                .json()
                .at("/items"))
        .isNotEmpty()
        .allSatisfy(
            fire -> {
              assertThat(fire.path("decision").asText()).isEqualTo("will_not_run");
              assertThat(fire.path("reason").asText()).isEqualTo("paused: the moon");
            });

    Answer resumed = site.post("/schedules/" + key + "/resume", "");
    assertThat(resumed.json().at("/comingPause").isNull()).isTrue();
    site.post(pause, body.formatted(from, from.plusSeconds(7_200)));
    site.carillon.pass(Duration.ofHours(5));
    Answer begun = site.get("/schedules/" + key);
    assertThat(begun.at("/status")).isEqualTo("paused");
    assertThat(begun.at("/pauseReason")).isEqualTo("the moon");
    assertThat(begun.json().at("/comingPause").isNull()).isTrue();
    Answer again = site.post(pause, "{\"reason\": \"x\", \"from\": \"2099-01-01T00:00:00Z\"}");
    assertThat(again.status()).isEqualTo(422);
    assertThat(again.at("/errors/0/pointer")).isEqualTo("/from");
    site.carillon.pass(Duration.ofHours(2));
    assertThat(site.get("/schedules/" + key).at("/status")).isEqualTo("active");
    assertThat(site.get("/audit?schedule=" + key).json().at("/items").findValuesAsText("action"))
        .contains("schedule.pause_planned", "schedule.paused", "schedule.resumed");
  }

  @Test
  void a_retired_schedule_stays_so_until_it_is_put_again() {
    site.put("/schedules/" + key, NIGHTLY);
    assertThat(site.delete("/schedules/" + key).at("/status")).isEqualTo("retired");

    assertThat(site.post("/schedules/" + key + "/run", "").at("/code"))
        .isEqualTo("schedule-retired");
    assertThat(site.post("/schedules/" + key + "/pause", "{\"reason\": \"x\"}").status())
        .isEqualTo(409);
    assertThat(site.patch("/schedules/" + key, "{\"maxRuns\": 1}").status()).isEqualTo(409);
    assertThat(site.delete("/schedules/none").status()).isEqualTo(404);
    assertThat(site.put("/schedules/" + key, NIGHTLY).at("/status")).isEqualTo("active");
  }

  @Test
  void schedules_are_retired_together_by_their_payload_but_never_all() {
    for (String name : List.of("-a", "-b")) {
      site.put(
          "/schedules/" + key + name,
          "{\"target\": \"noop\", \"timing\": {\"every\": \"PT1H\"}, \"payload\": {\"instanceId\": \"%s\"}}"
              .formatted(key));
    }

    assertThat(site.delete("/schedules").status()).isEqualTo(400);
    assertThat(
            site.delete("/schedules?payload=%7B%22instanceId%22:%22" + key + "%22%7D")
                .at("/retired"))
        .isEqualTo("2");
  }

  @Test
  void a_schedule_shows_its_latest_runs() {
    site.put("/schedules/" + key, "{\"target\": \"noop\", \"timing\": {\"every\": \"PT1H\"}}");
    site.carillon.pass(Duration.ofHours(3));
    Answer schedule = site.get("/schedules/" + key);

    assertThat(schedule.json().at("/recent").findValuesAsText("state"))
        .containsExactly("succeeded", "succeeded", "succeeded");
    assertThat(schedule.at("/lastRun/slot")).isEqualTo("2026-01-01T03:00:00Z");
    assertThat(site.get("/schedules?q=" + key).at("/items/0/lastRun/state")).isEqualTo("succeeded");
  }

  @Test
  void next_is_when_it_really_fires_next() {
    site.put("/schedules/" + key, "{\"target\": \"noop\", \"timing\": {\"every\": \"PT1S\"}}");
    site.carillon.pass(Duration.ofSeconds(5));
    Answer listed = site.get("/schedules?q=" + key);

    assertThat(listed.json().at("/items/0/next")).hasSize(1);
    assertThat(listed.at("/items/0/next/0")).isEqualTo("2026-01-01T00:00:06Z");
    assertThat(site.get("/schedules/" + key).json().at("/next"))
        .extracting(JsonNode::asText)
        .startsWith("2026-01-01T00:00:06Z", "2026-01-01T00:00:07Z")
        .hasSize(5);
    assertThat(site.delete("/schedules/" + key).json().at("/next")).isEmpty();
  }

  @Test
  void past_slots_are_made_up_for() {
    site.put("/schedules/" + key, "{\"target\": \"noop\", \"timing\": {\"every\": \"PT1H\"}}");
    String past = "{\"from\": \"2025-12-31T00:00:00Z\", \"to\": \"2025-12-31T02:00:00Z\"%s}";
    Answer dry = site.post("/schedules/" + key + "/backfill", past.formatted(", \"dryRun\": true"));
    Answer real =
        site.post(
            "/schedules/" + key + "/backfill",
            past.formatted(", \"limit\": 2, \"overlap\": \"allow\""));

    assertThat(dry.status()).isEqualTo(200);
    assertThat(dry.json().at("/slots")).hasSize(3);
    assertThat(dry.json().at("/runs")).isEmpty();
    assertThat(real.status()).isEqualTo(202);
    assertThat(real.at("/count")).isEqualTo("2");
    assertThat(real.at("/more")).isEqualTo("true");
    assertThat(real.at("/why"))
        .isEqualTo("the limit of 2 is reached; repeat it for the slots after that");
    Answer rest = site.post("/schedules/" + key + "/backfill", past.formatted(""));
    assertThat(rest.at("/count")).isEqualTo("1");
    assertThat(rest.at("/slotsInRange")).isEqualTo("3");
    assertThat(rest.at("/taken/pending")).isEqualTo("2");
    site.carillon.runDue();
    Answer none = site.post("/schedules/" + key + "/backfill", past.formatted(""));
    assertThat(none.at("/count")).isEqualTo("0");
    assertThat(none.at("/taken/succeeded")).isEqualTo("3");
    assertThat(none.at("/why")).isEqualTo("3 of 3 slots have a run: 3 succeeded");
    assertThat(
            site.post("/schedules/" + key + "/backfill", "{\"to\": \"x\"}")
                .json()
                .at("/errors")
                .findValuesAsText("pointer"))
        .containsExactly("/from", "/to");
    assertThat(site.post("/schedules/none/backfill", past.formatted("")).status()).isEqualTo(404);
  }

  @Test
  void a_timing_is_explained_without_being_stored() {
    Answer answer =
        site.post(
            "/timings/explain",
            "{\"timing\": {\"cron\": \"30 2 * * *\", \"zone\": \"Europe/Rome\"}, \"count\": 3, \"from\": \"2026-03-27T12:00:00Z\"}");

    assertThat(answer.at("/description")).contains("Europe/Rome");
    assertThat(answer.json().at("/fires").findValuesAsText("slot"))
        .containsExactly("2026-03-28T01:30:00Z", "2026-03-29T01:00:00Z", "2026-03-30T00:30:00Z");
    assertThat(answer.at("/fires/1/note")).contains("02:30");
    assertThat(answer.json().at("/warnings").findValuesAsText("code")).contains("DST_GAP");
    assertThat(
            site.post("/timings/explain", "{\"timing\": {\"every\": \"PT90S\"}}")
                .at("/description"))
        .isEqualTo("Every 1 minute 30 seconds");
    assertThat(site.post("/timings/explain", "{\"timing\": {\"in\": \"P3D\"}}").at("/fires/0/slot"))
        .isEqualTo("2026-01-04T00:00:00Z");
    assertThat(site.post("/timings/explain", "{}").status()).isEqualTo(422);
  }

  @Test
  void a_key_may_hold_what_addresses_cannot() {
    String odd = key + " a/b ü%";
    Answer created = site.put("/schedules/" + key + "%20a%2Fb%20%C3%BC%25", NIGHTLY);

    assertThat(created.status()).isEqualTo(201);
    assertThat(created.at("/key")).isEqualTo(odd);
    assertThat(site.put("/schedules/" + "k".repeat(201), NIGHTLY).status()).isEqualTo(422);
    assertThat(site.put("/schedules/%20" + key, NIGHTLY).status()).isEqualTo(422);
    assertThat(site.put("/schedules/%0A", NIGHTLY).status()).isEqualTo(422);
  }
}
