package dev.carillon.server;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.carillon.fixture.EmbeddedPostgres;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.extension.ExtendWith;

/** A value that is wrong is refused, and the problem names its field or parameter. */
@ExtendWith(EmbeddedPostgres.class)
class BlamedFieldApiTest {
  private static final String HOURLY = "\"timing\": {\"cron\": \"0 * * * *\"}";
  private static final String LATE = "9999-12-31T23:59:59-14:00";
  private static final String LONG = "x".repeat(5_000);
  private static final String HUGE = "99999999999999999999999999";

  private final Site site;

  BlamedFieldApiTest(DataSource source) {
    site = new Site(source);
    site.put("/schedules/there", "{\"target\": \"noop\", %s}".formatted(HOURLY));
  }

  @AfterEach
  void close() {
    site.close();
  }

  private static List<String> pointers(Answer answer) {
    assertThat(answer.status()).as(answer.text()).isEqualTo(422);
    var pointers = new ArrayList<String>();
    for (JsonNode error : answer.json().get("errors")) {
      pointers.add(error.path("pointer").asText());
    }
    return pointers;
  }

  /** Return a test that {@code body} is refused because of what is at {@code pointer} alone. */
  private DynamicTest refused(String method, String path, String pointer, String body) {
    String shown = body.length() < 100 ? body : body.substring(0, 100) + "…";
    return DynamicTest.dynamicTest(
        "%s %s %s %s".formatted(method, path, pointer, shown),
        () ->
            assertThat(pointers(site.sendTo(method, path, body)))
                .as(body)
                .containsExactly(pointer));
  }

  private DynamicTest schedule(String pointer, String fields) {
    return refused(
        "PUT",
        "/api/v1/schedules/new",
        pointer,
        "{\"target\": \"noop\", %s, %s}".formatted(HOURLY, fields));
  }

  private DynamicTest timing(String pointer, String fields) {
    return refused(
        "PUT",
        "/api/v1/schedules/new",
        pointer,
        "{\"target\": \"noop\", \"timing\": {%s}}".formatted(fields));
  }

  @TestFactory
  Stream<DynamicTest> of_a_schedule() {
    return Stream.of(
        refused(
            "PUT",
            "/api/v1/schedules/" + "k".repeat(201),
            "",
            "{\"target\": \"noop\", %s}".formatted(HOURLY)),
        refused(
            "PUT",
            "/api/v1/schedules/a",
            "/key",
            "{\"key\": \"b\", \"target\": \"noop\", %s}".formatted(HOURLY)),
        refused(
            "POST",
            "/api/v1/schedules",
            "/key",
            "{\"key\": \" \", \"target\": \"noop\", %s}".formatted(HOURLY)),
        refused(
            "PUT",
            "/api/v1/schedules/new",
            "/target",
            "{\"target\": \"nope\", %s}".formatted(HOURLY)),
        refused("PUT", "/api/v1/schedules/new", "/target", "{%s}".formatted(HOURLY)),
        refused("PUT", "/api/v1/schedules/new", "/timing", "{\"target\": \"noop\"}"),
        schedule("/payload", "\"payload\": 1"),
        schedule("/payload", "\"payload\": {\"a\": \"%s\"}".formatted("x".repeat(270_000))),
        schedule("/window", "\"window\": \"x\""),
        schedule("/window/from", "\"window\": {\"from\": \"yesterday\"}"),
        schedule("/window/until", "\"window\": {\"until\": \"%s\"}".formatted(LATE)),
        schedule(
            "/window",
            "\"window\": {\"from\": \"2027-01-01T00:00:00Z\", \"until\": \"2026-06-01T00:00:00Z\"}"),
        schedule("/window", "\"window\": {\"until\": \"2025-06-01T00:00:00Z\"}"),
        schedule("/jitter", "\"jitter\": \"PT999999999H\""),
        schedule("/jitter", "\"jitter\": \"PT99999999999999999999H\""),
        schedule("/jitterMode", "\"jitter\": \"1s\", \"jitterMode\": \"wild\""),
        schedule("/overlap", "\"overlap\": \"maybe\""),
        schedule("/queueLimit", "\"overlap\": \"queue\", \"queueLimit\": 0"),
        schedule("/queueLimit", "\"overlap\": \"queue\", \"queueLimit\": %s".formatted(HUGE)),
        schedule("/queueLimit", "\"overlap\": \"skip\", \"queueLimit\": 1"),
        schedule("/catchUp/mode", "\"catchUp\": {\"mode\": \"never\"}"),
        schedule("/catchUp/limit", "\"catchUp\": {\"limit\": 0}"),
        schedule("/catchUp/maxAge", "\"catchUp\": {\"maxAge\": \"PT0S\"}"),
        schedule("/catchUp/grace", "\"catchUp\": {\"grace\": \"-PT1S\"}"),
        schedule("/catchUp/grace", "\"catchUp\": {\"grace\": \"P99999999D\"}"),
        schedule("/retry/attempts", "\"retry\": {\"attempts\": 0}"),
        schedule("/retry/backoff", "\"retry\": {\"attempts\": 2, \"backoff\": \"-PT1S\"}"),
        schedule("/retry/factor", "\"retry\": {\"attempts\": 2, \"factor\": 1e300}"),
        schedule("/retry/factor", "\"retry\": {\"attempts\": 2, \"factor\": 0.5}"),
        schedule("/retry/maxBackoff", "\"retry\": {\"attempts\": 2, \"maxBackoff\": \"P400D\"}"),
        schedule("/recovery", "\"recovery\": \"pray\""),
        schedule("/timeout", "\"timeout\": \"PT0S\""),
        schedule("/timeout", "\"timeout\": \"P1M\""),
        schedule("/pauseAfterFailures", "\"pauseAfterFailures\": -1"),
        schedule("/pauseAfterFailures", "\"pauseAfterFailures\": 3000000000"),
        schedule("/maxRuns", "\"maxRuns\": -1"),
        schedule("/maxRuns", "\"maxRuns\": 1.5"),
        schedule("/maxRuns", "\"maxRuns\": %s".formatted(HUGE)),
        schedule("/description", "\"description\": \"%s\"".formatted(LONG)),
        schedule("/tags", "\"tags\": [\"%s\"]".formatted(LONG)),
        schedule("/tags/0", "\"tags\": [1]"),
        schedule("/maxrun", "\"maxrun\": 1"));
  }

  @TestFactory
  Stream<DynamicTest> of_a_timing() {
    return Stream.of(
        timing("/timing/cron", "\"cron\": \"61 * * * *\""),
        timing("/timing/cron", "\"cron\": \"%s * * * *\"".formatted(HUGE)),
        timing("/timing/cron", "\"cron\": \"%s\"".formatted(LONG)),
        timing("/timing/cron", "\"cron\": \"@every 0s\""),
        timing("/timing/cron", "\"cron\": \"@every PT%sS\"".formatted(HUGE)),
        timing("/timing/zone", "\"cron\": \"0 0 * * *\", \"zone\": \"Europe/Atlantis\""),
        timing("/timing/zone", "\"cron\": \"0 0 * * *\", \"zone\": \"+99:99\""),
        timing("/timing/dstGap", "\"cron\": \"0 0 * * *\", \"dstGap\": \"jump\""),
        timing("/timing/dstOverlap", "\"cron\": \"0 0 * * *\", \"dstOverlap\": \"thrice\""),
        timing("/timing/every", "\"every\": \"500ms\""),
        timing("/timing/every", "\"every\": \"P2147483647Y\""),
        timing("/timing/every", "\"every\": \"P1MT1H\""),
        timing("/timing/every", "\"every\": \"PT9223372036854775807S\""),
        timing("/timing/anchor", "\"every\": \"1h\", \"anchor\": \"%s\"".formatted(LATE)),
        timing("/timing/anchor", "\"every\": \"1h\", \"anchor\": \"+1000000000-01-01T00:00:00Z\""),
        timing("/timing/after", "\"every\": \"1h\", \"after\": \"lunch\""),
        timing("/timing/at", "\"at\": \"2026-02-30T00:00:00Z\""),
        timing("/timing/at", "\"at\": \"1970-01-01T00:00:00+14:00\""),
        timing("/timing", "\"at\": \"2020-01-01T00:00:00Z\""),
        timing("/timing/in", "\"in\": \"-PT1H\""),
        timing("/timing/in", "\"in\": \"soon\""),
        timing("/timing", "\"in\": \"P9000Y\""),
        timing("/timing", "\"cron\": \"0 0 30 2 *\""),
        timing("/timing", ""));
  }

  @Test
  void runs_that_are_used_up_are_no_fault_of_the_timing() {
    String body = "{\"target\": \"noop\", \"timing\": {\"cron\": \"* * * * *\"}%s}";
    site.put("/schedules/used", body.formatted(""));
    site.carillon.pass(Duration.ofMinutes(5));

    assertThat(pointers(site.put("/schedules/used", body.formatted(", \"maxRuns\": 2"))))
        .containsExactly("/maxRuns");
    assertThat(pointers(site.patch("/schedules/used", "{\"maxRuns\": 2}")))
        .containsExactly("/maxRuns");
    assertThat(pointers(site.patch("/schedules/used?dryRun=true", "{\"maxRuns\": 2}")))
        .containsExactly("/maxRuns");
  }

  private DynamicTest run(String pointer, String fields) {
    return refused("POST", "/api/v1/runs", pointer, "{\"target\": \"noop\", %s}".formatted(fields));
  }

  @TestFactory
  Stream<DynamicTest> of_a_run() {
    return Stream.of(
        refused("POST", "/api/v1/runs", "/target", "{\"target\": \"nope\"}"),
        run("/payload", "\"payload\": []"),
        run("/at", "\"at\": \"%s\"".formatted(LATE)),
        run("/in", "\"in\": \"P1X\""),
        run("/in", "\"at\": \"2027-01-01T00:00:00Z\", \"in\": \"1h\""),
        run("/in", "\"in\": \"P9000Y\""),
        run("/zone", "\"in\": \"1d\", \"zone\": \"Mars\""),
        run("/correlation", "\"correlation\": \"\""),
        run("/correlation", "\"correlation\": \"%s\"".formatted(LONG)),
        run("/overlapKey", "\"overlapKey\": \" x\""),
        run("/retry/attempts", "\"retry\": {\"attempts\": 99999999999}"),
        run("/recovery", "\"recovery\": 1"),
        run("/timeout", "\"timeout\": \"P366D\""),
        run("/description", "\"description\": \"%s\"".formatted(LONG)));
  }

  @TestFactory
  Stream<DynamicTest> of_an_action() {
    String one = "/api/v1/schedules/there";
    String job =
        "{\"jobKey\": \"j\", \"target\": \"noop\", \"scheduleType\": \"recurring\", \"cronExpression\": \"* * * * *\", %s}";
    String upsert =
        "{\"cron_expr\": \"* * * * *\", \"timezone\": \"UTC\", \"target\": \"noop\", \"workflow_id\": \"w\", \"version\": 1, \"user_id\": \"u\", %s}";
    return Stream.of(
        refused("POST", one + "/backfill", "/from", "{\"to\": \"2026-01-01T00:00:00Z\"}"),
        refused(
            "POST",
            one + "/backfill",
            "/to",
            "{\"from\": \"2026-01-01T00:00:00Z\", \"to\": \"%s\"}".formatted(LATE)),
        refused(
            "POST",
            one + "/backfill",
            "/to",
            "{\"from\": \"2026-01-01T00:00:00Z\", \"to\": \"2025-01-01T00:00:00Z\"}"),
        refused(
            "POST",
            one + "/backfill",
            "/limit",
            "{\"from\": \"2025-01-01T00:00:00Z\", \"to\": \"2025-01-02T00:00:00Z\", \"limit\": 0}"),
        refused(
            "POST",
            one + "/backfill",
            "/overlap",
            "{\"from\": \"2025-01-01T00:00:00Z\", \"to\": \"2025-01-02T00:00:00Z\", \"overlap\": \"x\"}"),
        refused(
            "POST",
            one + "/backfill",
            "/spread",
            "{\"from\": \"2025-01-01T00:00:00Z\", \"to\": \"2025-01-02T00:00:00Z\", \"spread\": \"-PT1S\"}"),
        refused(
            "POST",
            one + "/backfill",
            "/dryRun",
            "{\"from\": \"2025-01-01T00:00:00Z\", \"to\": \"2025-01-02T00:00:00Z\", \"dryRun\": \"yes\"}"),
        refused("POST", one + "/pause", "/reason", "{\"reason\": \" \"}"),
        refused(
            "POST",
            one + "/pause",
            "/until",
            "{\"reason\": \"x\", \"until\": \"2020-01-01T00:00:00Z\"}"),
        refused(
            "POST",
            one + "/pause",
            "/until",
            "{\"reason\": \"x\", \"from\": \"2026-03-01T00:00:00Z\", \"until\": \"2026-02-01T00:00:00Z\"}"),
        refused(
            "POST",
            one + "/pause",
            "/from",
            "{\"reason\": \"x\", \"from\": \"%s\"}".formatted(LATE)),
        refused("POST", one + "/run", "/overlap", "{\"overlap\": \"x\"}"),
        refused("POST", one + "/rollback", "/version", "{\"version\": %s}".formatted(HUGE)),
        refused(
            "POST",
            "/api/v1/schedules/bulk",
            "/action",
            "{\"action\": \"explode\", \"expect\": 0, \"reason\": \"x\", \"filter\": {\"tag\": \"a\"}}"),
        refused(
            "POST",
            "/api/v1/schedules/bulk",
            "/filter/status",
            "{\"action\": \"run\", \"expect\": 0, \"reason\": \"x\", \"filter\": {\"tag\": \"a\", \"status\": \"x\"}}"),
        refused(
            "POST",
            "/api/v1/timings/explain",
            "/count",
            "{\"timing\": {\"cron\": \"* * * * *\"}, \"count\": -1}"),
        refused(
            "POST", "/api/v1/timings/explain", "/timing/in", "{\"timing\": {\"in\": \"P9000Y\"}}"),
        refused(
            "POST",
            "/api/v1/tokens",
            "/expiresIn",
            "{\"name\": \"a\", \"roles\": [\"viewer\"], \"expiresIn\": \"P2147483647Y\"}"),
        refused("POST", "/api/v1/tokens", "/roles", "{\"name\": \"a\", \"roles\": [\"king\"]}"),
        refused(
            "POST",
            "/api/v1/workflow-instances/i/timeouts",
            "/timeout",
            "{\"timeout\": \"x\", \"handlerStep\": \"s\", \"target\": \"noop\"}"),
        refused(
            "POST",
            "/api/v1/workflow-instances/i/timeouts",
            "/timeout",
            "{\"timeout\": \"P9000Y\", \"handlerStep\": \"s\", \"target\": \"noop\"}"),
        refused(
            "POST",
            "/api/v1/run-launcher/start",
            "/idempotencyKey",
            "{\"workflowId\": \"w\", \"target\": \"noop\", \"idempotencyKey\": \"%s\"}"
                .formatted(LONG)),
        refused("POST", "/api/v1/dead-letters/redrive", "/ids", "{\"ids\": [\"x\"]}"),
        refused(
            "POST",
            "/api/v2/admin/cron/jobs",
            "/timezone",
            job.formatted("\"timezone\": \"Mars\"")),
        refused("POST", "/schedules/upsert", "/jitter_ms", upsert.formatted("\"jitter_ms\": -1")),
        refused(
            "POST",
            "/schedules/upsert",
            "/overlap_policy",
            upsert.formatted("\"overlap_policy\": \"x\"")),
        refused(
            "POST",
            "/schedules/upsert",
            "/catchup_policy",
            upsert.formatted("\"catchup_policy\": \"x\"")),
        refused(
            "POST",
            "/schedules/upsert",
            "/end_at",
            upsert.formatted(
                "\"start_at\": \"2027-01-01T00:00:00Z\", \"end_at\": \"2026-01-01T00:00:00Z\"")),
        refused(
            "POST",
            "/schedules/upsert",
            "/end_at",
            upsert.formatted("\"end_at\": \"2025-01-01T00:00:00Z\"")));
  }

  @Test
  void a_pause_cannot_begin_while_there_is_one() {
    site.post("/schedules/there/pause", "{\"reason\": \"x\"}");

    assertThat(
            pointers(
                site.post(
                    "/schedules/there/pause",
                    "{\"reason\": \"x\", \"from\": \"2026-03-01T00:00:00Z\"}")))
        .containsExactly("/from");
  }

  @TestFactory
  Stream<DynamicTest> of_a_target() {
    String put = "/api/v1/targets/hook";
    String http = "{\"type\": \"http\", \"url\": \"https://example.org/\", %s}";
    return Stream.of(
        refused("PUT", "/api/v1/targets/" + "l".repeat(201), "", "{\"type\": \"worker\"}"),
        refused("PUT", "/api/v1/targets/%20x", "", "{\"type\": \"worker\"}"),
        refused("PUT", put, "/type", "{\"type\": \"smoke\"}"),
        refused("PUT", put, "/url", "{\"type\": \"http\", \"url\": \"ftp://example.org\"}"),
        refused("PUT", put, "/url", "{\"type\": \"http\", \"url\": \"https://[::1\"}"),
        refused("PUT", put, "/method", http.formatted("\"method\": \"SHOUT\"")),
        refused("PUT", put, "/timeout", http.formatted("\"timeout\": \"x\"")),
        refused("PUT", put, "/maxConcurrent", http.formatted("\"maxConcurrent\": 0")),
        refused("PUT", put, "/unknown", http.formatted("\"unknown\": 0")));
  }

  @TestFactory
  Stream<DynamicTest> of_a_query() {
    return Stream.of(
            "/runs?limit=0",
            "/runs?limit=99999999999999999999",
            "/runs?cursor=x",
            "/runs?cursor=%ff%fe",
            "/runs?state=gone",
            "/runs?trigger=luck",
            "/runs?node=7",
            "/runs?from=" + LATE,
            "/runs?to=now",
            "/runs?payload=%7B",
            "/runs?payload=%5B%5D",
            "/schedules?status=x",
            "/schedules?cursor=AAAA",
            "/schedules?payload=x",
            "/schedules/there/explain?at=x",
            "/schedules/there/fires?from=x",
            "/schedules/there/fires?limit=-1",
            "/audit?cursor=x",
            "/tokens?cursor=x",
            "/workflows?cursor=x",
            "/nodes?limit=0",
            "/events?after=x",
            "/targets?limit=x")
        .map(
            path ->
                DynamicTest.dynamicTest(
                    path,
                    () -> {
                      Answer answer = site.get(path);
                      String name = path.substring(path.indexOf('?') + 1, path.indexOf('='));
                      assertThat(answer.status()).as(answer.text()).isEqualTo(400);
                      if (!path.contains("%ff")) {
                        assertThat(answer.at("/errors/0/parameter")).isEqualTo(name);
                      }
                    }));
  }

  @Test
  void of_runs_to_cancel() {
    Answer answer = site.delete("/runs?correlation=" + "x".repeat(201));

    assertThat(answer.status()).as(answer.text()).isEqualTo(400);
    assertThat(answer.at("/errors/0/parameter")).isEqualTo("correlation");
  }

  @TestFactory
  Stream<DynamicTest> an_id_in_a_path_that_cannot_be_is_not_found() {
    return Stream.of(
            "/api/v1/runs/x",
            "/api/v1/runs/00000000-0000-0000-0000-000000000000",
            "/api/v1/tokens/x",
            "/api/v1/schedules/%20",
            "/api/v1/schedules/" + LONG,
            "/api/v1/schedules/there/versions/99999999999",
            "/api/v1/schedules/there/versions/-1",
            "/api/v1/workflows/w/versions/99999999999",
            "/api/v2/admin/cron/jobs/zzzzzzzz-zzzz-zzzz-zzzz-zzzzzzzzzzzz",
            "/api/v1/targets/%20")
        .map(
            path ->
                DynamicTest.dynamicTest(
                    path, () -> assertThat(site.sendTo("GET", path, "").status()).isEqualTo(404)));
  }
}
