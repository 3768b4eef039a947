package dev.carillon.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.carillon.fixture.EmbeddedPostgres;
import dev.carillon.server.web.Request;
import dev.carillon.server.web.Role;
import dev.carillon.target.Completion;
import dev.carillon.target.Lease;
import dev.carillon.target.Outcome;
import dev.carillon.time.Zones;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(EmbeddedPostgres.class)
class RunApiTest {
  private final Site site;
  private final String word = "word-" + Long.toHexString(System.nanoTime());

  RunApiTest(DataSource source) {
    site = new Site(source);
  }

  @AfterEach
  void close() {
    site.close();
  }

  private Answer create(String more) {
    return site.post(
        "/runs", "{\"target\": \"noop\", \"correlation\": \"%s\"%s}".formatted(word, more));
  }

  @Test
  void work_without_a_schedule_runs_once() {
    Answer made = create(", \"payload\": {\"a\": 1}");
    site.carillon.runDue();
    Answer done = site.get("/runs/" + made.at("/id"));

    assertThat(made.status()).isEqualTo(202);
    assertThat(made.at("/state")).isEqualTo("pending");
    assertThat(made.at("/trigger")).isEqualTo("ad_hoc");
    assertThat(made.headers()).containsEntry("Location", "/api/v1/runs/" + made.at("/id"));
    assertThat(done.at("/state")).isEqualTo("succeeded");
    assertThat(done.at("/payload/a")).isEqualTo("1");
    assertThat(done.json().get("attempts")).hasSize(1);
    assertThat(done.at("/attempts/0/state")).isEqualTo("succeeded");
    assertThat(made.json().has("attempts")).isFalse();
    assertThat(done.at("/latenessMs")).isEqualTo("0");
  }

  @Test
  void a_run_that_was_seen_as_pending_before_an_outage_starts_or_says_why_not() {
    site.clock.advance(Duration.ofDays(60)); // to a time that no other test uses
    site.carillon.runDue();
    String definition = "{\"target\": \"noop\", \"timing\": {\"cron\": \"1 0 * * *\"}%s}";
    site.put("/schedules/" + word + "-usual", definition.formatted(""));
    site.put(
        "/schedules/" + word + "-skip",
        definition.formatted(", \"catchUp\": {\"mode\": \"skip\"}"));
    site.carillon.runDue();
    String usual = pending(word + "-usual");
    String skip = pending(word + "-skip");
    site.clock.advance(Duration.ofHours(2));
    site.carillon.runDue();

    assertThat(site.get("/runs/" + usual).at("/state")).isEqualTo("succeeded");
    assertThat(site.get("/runs/" + skip).at("/state")).isEqualTo("skipped");
    assertThat(site.get("/runs/" + skip).at("/reason"))
        .isEqualTo("missed: no node was alive when it was due, and catch-up is skip");
  }

  private String pending(String schedule) {
    Answer list = site.get("/runs?state=pending&planned=true&schedule=" + schedule);
    assertThat(list.json().get("items")).hasSize(1);
    return list.at("/items/0/id");
  }

  @Test
  void work_may_wait_and_be_canceled_together() {
    Answer later = create(", \"in\": \"P1D\"");
    create(", \"at\": \"2026-01-02T00:00:00Z\"");

    assertThat(later.at("/dueAt")).isEqualTo("2026-01-02T00:00:00Z");
    assertThat(create(", \"in\": \"P1D\", \"at\": \"2026-01-02T00:00:00Z\"").status())
        .isEqualTo(422);
    assertThat(site.delete("/runs").status()).isEqualTo(400);
    assertThat(site.delete("/runs?correlation=" + word).at("/canceled")).isEqualTo("2");
    assertThat(site.get("/runs/" + later.at("/id")).at("/state")).isEqualTo("canceled");
  }

  @Test
  void work_without_a_schedule_is_tried_and_described_as_that_of_one() {
    Answer made =
        site.post(
            "/runs",
            """
            {"target": "fail", "description": "by hand", "timeout": "PT10M", "recovery": "fail",
             "retry": {"attempts": 2, "backoff": "PT20S"}}
            """);
    assertThat(made.at("/description")).isEqualTo("by hand");
    site.carillon.runDue();
    assertThat(site.get("/runs/" + made.at("/id")).at("/state")).isEqualTo("pending");
    site.carillon.pass(Duration.ofSeconds(20));

    Answer over = site.get("/runs/" + made.at("/id"));
    assertThat(over.at("/state")).isEqualTo("failed");
    assertThat(over.at("/attempt")).isEqualTo("2");
    assertThat(over.at("/description")).isEqualTo("by hand");
    assertThat(over.at("/retry/attempts")).isEqualTo("2");
    assertThat(over.at("/recovery")).isEqualTo("fail");
    assertThat(over.at("/timeout")).isEqualTo("PT10M");
    Answer again = site.post("/runs/" + made.at("/id") + "/retry", "");
    assertThat(again.at("/description")).isEqualTo("by hand");
    assertThat(
            site.post("/runs", "{\"target\": \"noop\", \"timeout\": \"PT0S\"}")
                .at("/errors/0/pointer"))
        .isEqualTo("/timeout");
  }

  private String delayed(String payload) {
    return site.post(
            "/runs", "{\"target\": \"noop\", \"in\": \"P1D\", \"payload\": %s}".formatted(payload))
        .at("/id");
  }

  @Test
  void delayed_work_is_found_and_canceled_by_what_its_payload_contains() {
    String wanted = delayed("{\"instance\": \"%s\", \"steps\": [1, {\"a\": 2}]}".formatted(word));
    String other = delayed("{\"instance\": \"other\"}");
    Answer timeout =
        site.post(
            "/workflow-instances/%s/timeouts".formatted(word),
            "{\"timeout\": \"P3D\", \"handlerStep\": \"s\", \"target\": \"noop\"}");
    String begun =
        site.post(
                "/runs",
                "{\"target\": \"noop\", \"payload\": {\"instance\": \"%s\"}}".formatted(word))
            .at("/id");
    site.carillon.runDue();

    assertThat(found("{\"instance\":\"%s\"}".formatted(word))).containsExactly(wanted, begun);
    assertThat(found("{\"instance\":\"%s\",\"steps\":[{\"a\":2.0}]}".formatted(word)))
        .containsExactly(wanted);
    assertThat(found("{\"instanceId\":\"%s\"}".formatted(word))).containsExactly(timeout.at("/id"));
    assertThat(cancel("{\"instance\":\"%s\"}".formatted(word)).at("/canceled")).isEqualTo("1");
    assertThat(cancel("{\"instance\":\"%s\"}".formatted(word)).at("/canceled")).isEqualTo("0");
    assertThat(cancel("{\"instanceId\":\"%s\"}".formatted(word)).at("/canceled")).isEqualTo("1");

    assertThat(site.get("/runs/" + wanted).at("/state")).isEqualTo("canceled");
    assertThat(site.get("/runs/" + other).at("/state")).isEqualTo("pending");
    assertThat(site.get("/runs/" + begun).at("/state")).isEqualTo("succeeded");
  }

  private List<String> found(String payload) {
    return site.get("/runs?payload=" + encoded(payload)).json().at("/items").findValuesAsText("id");
  }

  private Answer cancel(String payload) {
    return site.delete("/runs?payload=" + encoded(payload));
  }

  private static String encoded(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8);
  }

  @Test
  void nothing_is_no_payload_to_look_for() {
    for (String nothing : List.of("", "{}", " ", "[]", "7")) {
      assertThat(site.get("/runs?payload=" + encoded(nothing)).status()).as(nothing).isEqualTo(400);
      assertThat(cancel(nothing).status()).as(nothing).isEqualTo(400);
    }
    assertThat(site.delete("/runs?correlation=a&payload=" + encoded("{\"a\":1}")).status())
        .isEqualTo(400);
  }

  private List<String> states(String id) {
    return site.get("/runs/" + id).json().at("/attempts").findValuesAsText("state");
  }

  @Test
  void a_run_that_waits_for_another_attempt_says_when_and_why() {
    site.put(
        "/schedules/" + word,
        """
        {"target": "fail", "timing": {"every": "PT1M"}, "maxRuns": 1,
         "retry": {"attempts": 2, "backoff": "PT20S"}}
        """);
    site.carillon.pass(Duration.ofSeconds(70));
    Answer list = site.get("/runs?schedule=" + word);
    String waiting = "/runs/" + list.at("/items/0/id");

    Instant failedAt = Instant.parse(site.get(waiting).at("/attempts/0/finishedAt"));
    assertThat(list.at("/items/0/nextAttemptAt")).isEqualTo(failedAt.plusSeconds(20).toString());
    assertThat(list.at("/items/0/lastFailure/message")).contains("broken on purpose");
    assertThat(site.get(waiting).at("/attempts/0/nextAt"))
        .isEqualTo(list.at("/items/0/nextAttemptAt"));

    site.carillon.pass(Duration.ofSeconds(20));
    assertThat(site.get(waiting).json().path("nextAttemptAt").isNull()).isTrue();
    assertThat(site.get(waiting).json().path("lastFailure").isNull()).isTrue();
  }

  @Test
  void runs_are_found_by_when_they_started_and_finished_and_how_long_they_took() {
    site.put(
        "/schedules/" + word,
        "{\"target\": \"noop\", \"timing\": {\"every\": \"PT1M\"}, \"maxRuns\": 2}");
    site.carillon.pass(Duration.ofMinutes(3));
    String list = "/runs?schedule=" + word;
    String second = site.get(list).at("/items/0/startedAt");

    assertThat(ids(list + "&startedFrom=" + second)).hasSize(1);
    assertThat(ids(list + "&startedTo=" + second)).hasSize(1);
    assertThat(ids(list + "&finishedFrom=2020-01-01T00:00:00Z&longest=1h")).hasSize(2);
    assertThat(ids(list + "&finishedTo=2020-01-01T00:00:00Z")).isEmpty();
    assertThat(ids(list + "&shortest=PT1H")).isEmpty();
    Answer refused = site.get(list + "&longest=long");
    assertThat(refused.status()).isEqualTo(400);
    assertThat(refused.at("/errors/0/parameter")).isEqualTo("longest");
  }

  private List<String> ids(String path) {
    return site.get(path).json().at("/items").findValuesAsText("id");
  }

  @Test
  void every_attempt_is_shown_the_one_under_way_and_the_last_too() {
    site.put(
        "/schedules/" + word,
        """
        {"target": "fail", "timing": {"every": "PT1M"}, "maxRuns": 1,
         "retry": {"attempts": 2, "backoff": "PT20S"}}
        """);
    site.carillon.pass(Duration.ofSeconds(70));
    String id = site.get("/runs?schedule=" + word).at("/items/0/id");

    assertThat(states(id)).containsExactly("failed");
    site.carillon.pass(Duration.ofSeconds(20));
    Answer over = site.get("/runs/" + id);
    assertThat(states(id)).containsExactly("failed", "failed");
    assertThat(over.json().at("/attempts").findValuesAsText("number")).containsExactly("1", "2");
    assertThat(over.at("/attempts/1/finishedAt")).isEqualTo(over.at("/finishedAt"));
    assertThat(over.at("/attempts/1/startedAt")).isEqualTo(over.at("/startedAt"));
    assertThat(over.at("/attempts/1/node")).isEqualTo(over.at("/node"));
    assertThat(over.at("/attempts/1/failure/message")).contains("broken on purpose");

    site.post("/runs/" + id + "/retry", "");
    assertThat(states(id)).containsExactly("failed", "failed");
  }

  @Test
  void an_attempt_that_was_canceled_stays_among_them() {
    site.put("/targets/" + word, "{\"type\": \"worker\"}");
    String id = site.post("/runs", "{\"target\": \"%s\"}".formatted(word)).at("/id");
    assertThat(states(id)).isEmpty();
    var workers = site.carillon.carillon().pullWorkers();
    var claimed = workers.claim("w", List.of(word), 1, Duration.ofMinutes(5));
    assertThat(states(id)).containsExactly("running");
    assertThat(site.get("/runs/" + id).json().at("/attempts/0/finishedAt").isNull()).isTrue();

    site.post("/runs/" + id + "/cancel", "{\"reason\": \"the moon\"}");
    site.post(
        "/workers/complete",
        "[{\"id\": \"%s\", \"attempt\": 1, \"fence\": \"%s\", \"outcome\": \"canceled\", \"reason\": \"the moon\"}]"
            .formatted(id, claimed.get(0).lease().fence()));
    assertThat(states(id)).containsExactly("canceled");
    site.post("/runs/" + id + "/retry", "");
    workers.claim("w", List.of(word), 1, Duration.ofMinutes(5));

    assertThat(states(id)).containsExactly("canceled", "running");
    assertThat(site.get("/runs/" + id).at("/attempts/0/failure/message")).isEqualTo("the moon");
  }

  @Test
  void a_run_asked_for_after_its_slot_is_not_late() {
    String plain = create(", \"at\": \"2020-01-01T00:00:00Z\"").at("/id");
    String named =
        create(", \"at\": \"2020-01-01T00:00:00Z\", \"overlapKey\": \"%s\"".formatted(word))
            .at("/id");
    site.carillon.runDue();

    for (String id : List.of(plain, named)) {
      Answer done = site.get("/runs/" + id);
      assertThat(done.at("/slot")).isEqualTo("2020-01-01T00:00:00Z");
      assertThat(done.at("/dueAt")).isEqualTo("2026-01-01T00:00:00Z");
      assertThat(done.at("/latenessMs")).isEqualTo("0");
    }
    assertThat(site.send(site.as(Role.VIEWER, Request.of("GET", "/metrics"))).text().lines())
        .contains("carillon_run_lateness_seconds_sum 0.0");
  }

  @Test
  void a_run_is_canceled_for_a_reason_while_it_is_not_over() {
    String id = create(", \"in\": \"P1D\"").at("/id");

    assertThat(site.post("/runs/" + id + "/cancel", "{}").status()).isEqualTo(422);
    assertThat(site.post("/runs/" + id + "/cancel", "{\"reason\": \"the moon\"}").at("/reason"))
        .isEqualTo("the moon");
    Answer over = site.post("/runs/" + id + "/cancel", "{\"reason\": \"again\"}");
    assertThat(over.at("/code")).isEqualTo("run-not-active");
    assertThat(over.at("/detail")).isEqualTo("The run is over: it is canceled.");
    assertThat(site.post("/runs/" + id + "/retry", "").at("/state")).isEqualTo("pending");
    assertThat(site.post("/runs/" + id + "/retry", "").at("/code")).isEqualTo("run-not-repeatable");
  }

  @Test
  void an_unknown_run_is_not_found() {
    for (String id : new String[] {"x", "00000000-0000-8000-8000-000000000000", "%20"}) {
      assertThat(site.get("/runs/" + id).at("/code")).isEqualTo("run-unknown");
      assertThat(site.post("/runs/" + id + "/retry", "").status()).isEqualTo(404);
      assertThat(site.post("/runs/" + id + "/cancel", "{\"reason\": \"x\"}").status())
          .isEqualTo(404);
      assertThat(site.post("/runs/" + id + "/status", "{\"status\": \"started\"}").status())
          .isEqualTo(404);
    }
  }

  @Test
  void dead_letters_are_listed_and_driven_again() {
    String body = "{\"target\": \"fail\", \"correlation\": \"%s\"}".formatted(word);
    String first = site.post("/runs", body).at("/id");
    String second = site.post("/runs", body).at("/id");
    site.carillon.runDue();
    Answer dead = site.get("/dead-letters?correlation=" + word);

    assertThat(dead.json().at("/items").findValuesAsText("id")).contains(first, second);
    assertThat(dead.at("/items/0/failure/message")).contains("broken on purpose");
    assertThat(
            site.post("/dead-letters/redrive", "{\"ids\": [\"%s\"]}".formatted(first))
                .at("/redriven"))
        .isEqualTo("1");
    assertThat(
            site.post(
                    "/dead-letters/redrive",
                    "{\"filter\": {\"correlation\": \"%s\"}, \"payload\": {\"b\": 2}, \"expect\": 1}"
                        .formatted(word))
                .at("/redriven"))
        .isEqualTo("1");
    assertThat(site.get("/runs/" + second).at("/payload/b")).isEqualTo("2");
    assertThat(site.post("/dead-letters/redrive", "{}").status()).isEqualTo(422);
    assertThat(site.post("/dead-letters/redrive", "{\"ids\": [\"x\"]}").at("/errors/0/pointer"))
        .isEqualTo("/ids");
    assertThat(
            site.post("/dead-letters/redrive", "{\"filter\": {\"colour\": 1}, \"all\": true}")
                .at("/errors/0/pointer"))
        .isEqualTo("/filter/colour");
  }

  @Test
  void runs_are_listed_the_latest_first_and_paged() {
    for (int i = 1; i <= 3; i++) {
      create(", \"at\": \"2026-01-0%sT00:00:00Z\"".formatted(i + 1));
    }
    Answer first = site.get("/runs?correlation=%s&limit=2".formatted(word));
    Answer second =
        site.get("/runs?correlation=%s&limit=2&cursor=%s".formatted(word, first.at("/nextCursor")));

    assertThat(first.json().at("/items").findValuesAsText("dueAt"))
        .containsExactly("2026-01-04T00:00:00Z", "2026-01-03T00:00:00Z");
    assertThat(second.json().at("/items").findValuesAsText("dueAt"))
        .containsExactly("2026-01-02T00:00:00Z");
    assertThat(second.json().at("/nextCursor").isNull()).isTrue();
    assertThat(site.get("/runs?state=succeeded&correlation=" + word).json().at("/items")).isEmpty();
    for (String query :
        new String[] {"state=x", "trigger=x", "node=x", "from=x", "to=1", "cursor=x"}) {
      assertThat(site.get("/runs?" + query).status()).as(query).isEqualTo(400);
    }
  }

  @Test
  void a_period_that_ends_before_it_begins_is_refused() {
    String period = "from=2026-01-02T00:00:00Z&to=2026-01-01T00:00:00Z";
    for (String path :
        List.of("/api/v1/runs?", "/api/v1/dead-letters?", "/api/v2/admin/cron/runs?")) {
      Answer refused = site.sendTo("GET", path + period, "");

      assertThat(refused.status()).as(path).isEqualTo(400);
      assertThat(refused.at("/code")).isEqualTo("invalid-parameter");
      assertThat(refused.at("/errors/0/parameter")).isEqualTo("to");
      assertThat(refused.at("/errors/0/message")).isEqualTo("must not be before 'from'");
    }
    Answer refused =
        site.post(
            "/dead-letters/redrive",
            """
            {"filter": {"from": "2026-01-02T00:00:00Z", "to": "2026-01-01T00:00:00Z"}}
            """);
    assertThat(refused.status()).isEqualTo(422);
    assertThat(refused.at("/errors/0/pointer")).isEqualTo("/filter/to");
    assertThat(site.get("/runs?to=1960-01-01T00:00:00Z").json().at("/items")).isEmpty();
  }

  private List<String> due(String query) {
    return site.get("/runs?target=noop&limit=500" + query)
        .json()
        .at("/items")
        .findValuesAsText("dueAt");
  }

  @Test
  void what_is_planned_for_later_is_listed_if_it_is_asked_for() {
    String now = "2026-01-01T00:00:00Z";
    String later = "2026-01-03T04:05:06Z";
    create("");
    create(", \"at\": \"%s\"".formatted(later));

    assertThat(due("")).contains(now).doesNotContain(later);
    assertThat(due("&from=2025-12-31T00:00:00Z")).contains(now).doesNotContain(later);
    assertThat(due("&planned=false&state=pending")).contains(now).doesNotContain(later);
    assertThat(due("&planned=false&correlation=" + word)).containsExactly(now);
    assertThat(due("&planned=true")).contains(now, later);
    assertThat(due("&state=pending")).contains(now, later);
    assertThat(due("&to=2026-01-04T00:00:00Z")).contains(now, later);
    assertThat(due("&from=2026-01-02T00:00:00Z")).contains(later);
    assertThat(due("&correlation=" + word)).containsExactly(later, now);
    assertThat(site.get("/runs?planned=perhaps").status()).isEqualTo(400);

    site.clock.advance(Duration.ofDays(3));
    assertThat(due("")).contains(now, later);
  }

  @Test
  void the_runs_of_a_schedule_end_with_what_is_due() {
    site.put("/schedules/" + word, "{\"target\": \"noop\", \"timing\": {\"every\": \"PT1S\"}}");
    site.carillon.pass(Duration.ofSeconds(5));

    Answer first = site.get("/runs?schedule=%s&limit=3".formatted(word));
    Answer second =
        site.get("/runs?schedule=%s&limit=3&cursor=%s".formatted(word, first.at("/nextCursor")));

    assertThat(first.json().at("/items").findValuesAsText("slot"))
        .containsExactly("2026-01-01T00:00:05Z", "2026-01-01T00:00:04Z", "2026-01-01T00:00:03Z");
    assertThat(second.json().at("/items").findValuesAsText("slot"))
        .containsExactly("2026-01-01T00:00:02Z", "2026-01-01T00:00:01Z");
    assertThat(site.get("/runs?schedule=%s&planned=true".formatted(word)).at("/items/0/state"))
        .isEqualTo("pending");
    site.delete("/schedules/" + word);
    assertThat(site.get("/runs?schedule=%s&planned=true".formatted(word)).at("/items/0/state"))
        .isEqualTo("succeeded");
  }

  @Test
  void what_was_accepted_elsewhere_is_reported() {
    String id = accepted("");

    Answer started =
        site.post("/runs/" + id + "/status", "{\"status\": \"started\", \"externalId\": \"e-1\"}");
    assertThat(started.at("/externalId")).isEqualTo("e-1");
    assertThat(site.post("/runs/" + id + "/status", "{\"status\": \"done\"}").status())
        .isEqualTo(422);
    assertThat(
            site.post(
                    "/runs/" + id + "/status",
                    "{\"status\": \"succeeded\", \"failure\": {\"code\": \"x\"}}")
                .at("/errors/0/pointer"))
        .isEqualTo("/failure");
    site.post(
        "/runs/" + id + "/status",
        "{\"status\": \"failed\", \"failure\": {\"code\": \"teapot\", \"message\": \"short\"}}");
    site.carillon.runDue();
    assertThat(site.get("/runs/" + id).at("/failure/code")).isEqualTo("teapot");
  }

  private String accepted(String more) {
    site.put("/targets/" + word, "{\"type\": \"worker\"}");
    String id = site.post("/runs", "{\"target\": \"%s\"%s}".formatted(word, more)).at("/id");
    var workers = site.carillon.carillon().pullWorkers();
    Lease lease = workers.claim("w", List.of(word), 1, Duration.ofMinutes(5)).get(0).lease();
    workers.complete(List.of(new Completion(lease, Outcome.accepted())));
    return id;
  }

  private Answer report(String id, String status, String more) {
    return site.post("/runs/" + id + "/status", "{\"status\": \"%s\"%s}".formatted(status, more));
  }

  @Test
  void a_report_that_is_repeated_is_answered_like_the_first() {
    String done = accepted("");
    String broken = accepted("");
    String jam = ", \"failure\": {\"code\": \"jam\"}";

    for (int i = 0; i < 2; i++) {
      assertThat(report(done, "succeeded", "").at("/state")).isEqualTo("succeeded");
      assertThat(report(broken, "failed", jam).at("/state")).isEqualTo("failed");
    }
    assertThat(report(done, "succeeded", ", \"attempt\": 1").status()).isEqualTo(200);
    assertThat(report(done, "started", "").status()).isEqualTo(200);
  }

  @Test
  void a_late_report_that_says_otherwise_is_refused_and_changes_nothing() {
    String done = accepted("");
    report(done, "succeeded", "");
    String broken = accepted("");
    report(broken, "failed", ", \"failure\": {\"code\": \"jam\"}");
    String canceled = accepted("");
    site.post("/runs/" + canceled + "/cancel", "{\"reason\": \"the moon\"}");
    report(canceled, "failed", "");

    assertContradicted(report(done, "failed", ""), "succeeded");
    assertContradicted(report(done, "succeeded", ", \"attempt\": 2"), "succeeded");
    assertContradicted(report(broken, "succeeded", ""), "failed");
    assertContradicted(report(broken, "failed", ", \"failure\": {\"code\": \"fire\"}"), "failed");
    assertContradicted(report(canceled, "succeeded", ""), "canceled");
    assertContradicted(report(canceled, "started", ""), "canceled");
    assertThat(site.get("/runs/" + done).at("/state")).isEqualTo("succeeded");
    assertThat(site.get("/runs/" + broken).at("/failure/code")).isEqualTo("jam");
    assertThat(site.get("/runs/" + canceled).at("/state")).isEqualTo("canceled");
  }

  private static void assertContradicted(Answer answer, String state) {
    assertThat(answer.status()).isEqualTo(409);
    assertThat(answer.at("/code")).isEqualTo("report-contradicted");
    assertThat(answer.at("/detail"))
        .isEqualTo(
            "The report came too late and changed nothing: the run is %s, at attempt 1."
                .formatted(state));
  }

  @Test
  void statistics_count_what_is_over() {
    create("");
    site.carillon.runDue();
    site.clock.advance(Duration.ofMinutes(1));
    Answer stats = site.get("/stats");
    assertThat(stats.at("/timeZones")).isEqualTo(Zones.version()).matches("20\\d\\d[a-z]+");

    assertThat(stats.json().at("/runs/succeeded").asLong()).isPositive();
    assertThat(site.get("/stats?from=2026-01-02T00:00:00Z&to=2026-01-01T00:00:00Z").status())
        .isEqualTo(400);
  }
}
