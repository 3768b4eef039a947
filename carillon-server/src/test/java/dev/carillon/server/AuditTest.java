package dev.carillon.server;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.carillon.fixture.EmbeddedPostgres;
import dev.carillon.server.web.Request;
import dev.carillon.server.web.Role;
import dev.carillon.server.web.Route;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Supplier;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Whatever changes something leaves a line in the audit that says who did it, and why if they said.
 */
@ExtendWith(EmbeddedPostgres.class)
class AuditTest {
  private static final String WHY = "because of the flood";

  private static final String OF_RUNS =
      "the run itself says who made it; there may be thousands in a second";
  private static final String OF_WORK = "tells what happened, and the run keeps it";

  /** Operations that leave no line, each with the reason. */
  private static final Map<String, String> WITHOUT =
      Map.ofEntries(
          Map.entry("explainTiming", "stores nothing"),
          Map.entry("testTarget", "stores nothing"),
          Map.entry("createRun", OF_RUNS),
          Map.entry("createTimeout", OF_RUNS),
          Map.entry("startWorkflow", OF_RUNS),
          Map.entry("startRegisteredWorkflow", OF_RUNS),
          Map.entry("reportRun", OF_WORK),
          Map.entry("claimRuns", OF_WORK),
          Map.entry("renewLeases", OF_WORK),
          Map.entry("completeRuns", OF_WORK),
          Map.entry("ping", OF_WORK),
          Map.entry("pingStart", OF_WORK),
          Map.entry("pingSuccess", OF_WORK),
          Map.entry("pingFail", OF_WORK));

  private final Site site;
  private final String key = "audited-" + Long.toHexString(System.nanoTime());

  AuditTest(DataSource source) {
    site = new Site(source);
  }

  @AfterEach
  void close() {
    site.close();
  }

  private record Deed(Supplier<Answer> act, String action, boolean why) {}

  private Deed deed(String action, Supplier<Answer> act) {
    return new Deed(act, action, false);
  }

  private Deed reasoned(String action, Supplier<Answer> act) {
    return new Deed(act, action, true);
  }

  @Test
  void every_change_says_who_and_why() {
    Map<String, Deed> deeds = deeds();
    List<String> changing =
        site.routes.stream()
            .filter(route -> !route.method().equals("GET"))
            .map(Route::operation)
            .filter(operation -> !WITHOUT.containsKey(operation))
            .toList();
    assertThat(deeds.keySet()).containsExactlyInAnyOrderElementsOf(changing);

    deeds.forEach(this::check);
  }

  private void check(String operation, Deed deed) {
    long last = newest().path("id").asLong();
    Answer answer = deed.act().get();

    assertThat(answer.status()).as(operation + " " + answer).isBetween(200, 299);
    JsonNode line = newest();
    assertThat(line.path("id").asLong()).as(operation).isGreaterThan(last);
    assertThat(line.path("actor").asText()).as(operation).isEqualTo("admin");
    assertThat(line.path("action").asText()).as(operation).isEqualTo(deed.action());
    if (deed.why()) {
      assertThat(line.path("details").toString()).as(operation).contains(WHY);
    }
  }

  private static String query(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8);
  }

  private JsonNode newest() {
    return site.get("/audit?limit=1").json().at("/items/0");
  }

  private Request beginSession() {
    return site.request("POST", "/session", "{\"token\": \"%s\"}".formatted(site.token(Role.ADMIN)))
        .header("X-Carillon-Console", "1");
  }

  private Map<String, Deed> deeds() {
    String noop = "\"target\": \"noop\", \"timing\": {\"every\": \"PT1H\"}";
    var deeds = new TreeMap<String, Deed>();
    deeds.put(
        "putPing",
        deed(
            "ping.defined",
            () -> site.put("/pings/" + key, "{\"expect\": {\"successEvery\": \"P1D\"}}")));
    deeds.put(
        "deletePing",
        deed(
            "ping.deleted",
            () -> {
              site.put("/pings/" + key + "-gone", "{\"expect\": {\"successEvery\": \"P1D\"}}");
              return site.delete("/pings/" + key + "-gone");
            }));
    deeds.put(
        "createSignInLink", deed("sign_in_link.created", () -> site.post("/sign-in-links", "")));
    deeds.put(
        "signIn",
        deed(
            "token.created",
            () -> {
              String link = site.post("/sign-in-links", "").json().path("path").asText();
              String code = link.substring(link.indexOf('#') + 1);
              return site.post("/sign-in", "{\"code\": \"%s\"}".formatted(code));
            }));
    deeds.put("beginSession", deed("console_session.created", () -> site.send(beginSession())));
    deeds.put(
        "endSession",
        deed(
            "console_session.ended",
            () -> {
              String set = site.send(beginSession()).headers().getOrDefault("Set-Cookie", "");
              return site.send(
                  site.request("DELETE", "/session", "")
                      .header("Cookie", set.substring(0, set.indexOf(';'))));
            }));
    deeds.put(
        "putCalendar",
        reasoned(
            "calendar.saved",
            () ->
                site.put(
                    "/calendars/" + fresh() + "?reason=" + query(WHY), "{\"zone\": \"UTC\"}")));
    deeds.put(
        "importHolidays",
        reasoned(
            "calendar.saved",
            () ->
                site.post(
                    "/calendars/" + fresh() + "/import?zone=UTC&reason=" + query(WHY),
                    "{\"country\": \"IT\", \"years\": [2027]}")));
    deeds.put(
        "deleteCalendar",
        deed(
            "calendar.deleted",
            () -> {
              String name = fresh();
              site.put("/calendars/" + name, "{\"zone\": \"UTC\"}");
              return site.delete("/calendars/" + name);
            }));
    deeds.put(
        "putQuietHours",
        reasoned(
            "quiet_hours.saved",
            () ->
                site.put(
                    "/quiet-hours/" + fresh() + "?reason=" + query(WHY),
                    "{\"action\": \"skip\"}")));
    deeds.put(
        "deleteQuietHours",
        deed(
            "quiet_hours.deleted",
            () -> {
              String name = fresh();
              site.put("/quiet-hours/" + name, "{\"action\": \"skip\"}");
              return site.delete("/quiet-hours/" + name);
            }));
    String flooded = "{\"tags\": [\"flooded\"]}";
    String frozen =
        "{\"until\": \"2026-06-01T00:00:00Z\", \"reason\": \"%s\", \"tags\": [\"flooded\"]}"
            .formatted(WHY);
    deeds.put("freeze", reasoned("quiet_hours.frozen", () -> site.post("/freeze", frozen)));
    deeds.put("thaw", deed("quiet_hours.thawed", () -> site.post("/thaw", flooded)));
    deeds.put(
        "createSchedule",
        deed("schedule.created", () -> site.post("/schedules", "{" + noop + "}")));
    deeds.put(
        "putSchedule",
        deed("schedule.created", () -> site.put("/schedules/" + fresh(), "{" + noop + "}")));
    deeds.put(
        "patchSchedule",
        deed(
            "schedule.changed",
            () -> site.patch("/schedules/" + made(), "{\"description\": \"x\"}")));
    deeds.put(
        "deleteSchedule", deed("schedule.retired", () -> site.delete("/schedules/" + made())));
    deeds.put(
        "deleteSchedules", deed("schedules.retiring", () -> site.delete("/schedules?q=" + made())));
    deeds.put("rollbackSchedule", deed("schedule.changed", this::rolledBack));
    deeds.put(
        "pauseSchedule",
        reasoned("schedule.paused", () -> site.post("/schedules/" + made() + "/pause", reason())));
    deeds.put(
        "resumeSchedule",
        deed("schedule.resumed", () -> site.post("/schedules/" + paused() + "/resume", "")));
    deeds.put(
        "runSchedule", deed("schedule.run", () -> site.post("/schedules/" + made() + "/run", "")));
    deeds.put(
        "backfillSchedule",
        deed(
            "schedule.backfilled",
            () ->
                site.post(
                    "/schedules/" + made() + "/backfill",
                    "{\"from\": \"2025-12-01T00:00:00Z\", \"to\": \"2025-12-01T02:00:00Z\"}")));
    deeds.put(
        "changeSchedules",
        reasoned(
            "schedules.pausing",
            () ->
                site.post(
                    "/schedules/bulk",
                    "{\"action\": \"pause\", \"reason\": \"%s\", \"expect\": 1,".formatted(WHY)
                        + " \"filter\": {\"q\": \"%s\"}}".formatted(made()))));
    deeds.put(
        "cancelRun",
        reasoned("run.canceled", () -> site.post("/runs/" + run("") + "/cancel", reason())));
    deeds.put(
        "cancelRuns",
        deed(
            "run.canceled",
            () -> {
              run(", \"correlation\": \"" + key + "\"");
              return site.delete("/runs?correlation=" + key);
            }));
    deeds.put("retryRun", deed("run.retried", () -> site.post("/runs/" + failed() + "/retry", "")));
    deeds.put(
        "redriveDeadLetters",
        deed(
            "run.retried",
            () -> site.post("/dead-letters/redrive", "{\"ids\": [\"%s\"]}".formatted(failed()))));
    deeds.put(
        "dismissDeadLetters",
        reasoned(
            "run.dismissed",
            () ->
                site.post(
                    "/dead-letters/dismiss",
                    "{\"ids\": [\"%s\"], \"reason\": \"%s\"}".formatted(failed(), WHY))));
    deeds.put(
        "putTarget",
        deed("target.put", () -> site.put("/targets/" + fresh(), "{\"type\": \"worker\"}")));
    deeds.put(
        "deleteTarget",
        deed(
            "target.removed",
            () -> {
              String label = fresh();
              site.put("/targets/" + label, "{\"type\": \"worker\"}");
              return site.delete("/targets/" + label);
            }));
    deeds.put(
        "createToken",
        deed(
            "token.created",
            () -> site.post("/tokens", "{\"name\": \"x\", \"roles\": [\"viewer\"]}")));
    deeds.put(
        "revokeToken",
        deed(
            "token.revoked",
            () ->
                site.delete(
                    "/tokens/"
                        + site.post("/tokens", "{\"name\": \"x\", \"roles\": [\"viewer\"]}")
                            .at("/id"))));
    deeds.putAll(deedsWithWorkflows());
    deeds.putAll(deedsOfTheRegistrar());
    deeds.putAll(deedsWithCronJobs());
    return deeds;
  }

  private Map<String, Deed> deedsWithWorkflows() {
    return Map.of(
        "putWorkflowVersion",
        deed("workflow.deployed", () -> deploy(fresh())),
        "deleteWorkflowVersion",
        deed(
            "workflow.removed",
            () -> {
              String id = fresh();
              deploy(id);
              return site.delete("/workflows/" + id + "/versions/1");
            }),
        "deleteWorkflow",
        deed(
            "workflow.removed",
            () -> {
              String id = fresh();
              deploy(id);
              return site.delete("/workflows/" + id);
            }),
        "cancelTimeouts",
        deed(
            "run.canceled",
            () -> {
              String timeouts = "/workflow-instances/" + fresh() + "/timeouts";
              site.post(
                  timeouts,
                  "{\"timeout\": \"PT1H\", \"handlerStep\": \"late\", \"target\": \"noop\"}");
              return site.delete(timeouts);
            }));
  }

  private Answer deploy(String id) {
    return site.put("/workflows/" + id + "/versions/1", "{\"user_id\": \"ada\", \"triggers\": []}");
  }

  private Map<String, Deed> deedsOfTheRegistrar() {
    return Map.of(
        "upsertRegisteredSchedule",
        deed("schedule.created", () -> upsert(fresh())),
        "pauseRegisteredSchedule",
        reasoned(
            "schedule.paused",
            () -> {
              String id = fresh();
              upsert(id);
              return site.sendTo(
                  "POST",
                  "/schedules/pause",
                  "{\"schedule_id\": \"%s\", \"paused\": true, \"reason\": \"%s\"}"
                      .formatted(id, WHY));
            }),
        "deleteRegisteredSchedule",
        deed(
            "schedule.retired",
            () -> {
              String id = fresh();
              upsert(id);
              return site.sendTo("DELETE", "/schedules/" + id, "");
            }));
  }

  private Answer upsert(String id) {
    return site.sendTo(
        "POST",
        "/schedules/upsert",
        """
        {"schedule_id": "%s", "workflow_id": "billing", "version": 3, "user_id": "ada", "target": "noop",
         "cron_expr": "0 2 * * *", "timezone": "UTC"}
        """
            .formatted(id));
  }

  private Map<String, Deed> deedsWithCronJobs() {
    return Map.of(
        "createCronJob",
        deed("schedule.created", () -> cronJob("POST", "", newCronJob())),
        "pauseCronJob",
        reasoned("schedule.paused", () -> cronJob("PATCH", "/" + cronJob() + "/pause", reason())),
        "resumeCronJob",
        deed(
            "schedule.resumed",
            () -> {
              String id = cronJob();
              cronJob("PATCH", "/" + id + "/pause", reason());
              return cronJob("PATCH", "/" + id + "/resume", "");
            }),
        "replaceCronJob",
        deed(
            "schedule.changed",
            () ->
                cronJob(
                    "POST",
                    "/" + cronJob() + "/new-version",
                    "{\"cronExpression\": \"0 3 * * *\"}")),
        "runCronJob",
        deed("schedule.run", () -> cronJob("POST", "/" + cronJob() + "/run-now", "")));
  }

  private String cronJob() {
    return cronJob("POST", "", newCronJob()).at("/id");
  }

  private Answer cronJob(String method, String path, String body) {
    return site.sendTo(method, "/api/v2/admin/cron/jobs" + path, body);
  }

  private String newCronJob() {
    return """
        {"jobKey": "%s", "target": "noop", "scheduleType": "recurring", "cronExpression": "*/5 * * * *",
         "timezone": "UTC"}
        """
        .formatted(fresh());
  }

  private int names;

  private String fresh() {
    return key + "-" + names++;
  }

  private String made() {
    String name = fresh();
    site.put("/schedules/" + name, "{\"target\": \"noop\", \"timing\": {\"every\": \"PT1H\"}}");
    return name;
  }

  private String paused() {
    String name = made();
    site.post("/schedules/" + name + "/pause", reason());
    return name;
  }

  private Answer rolledBack() {
    String name = made();
    site.patch("/schedules/" + name, "{\"description\": \"x\"}");
    return site.post("/schedules/" + name + "/rollback", "{\"version\": 1}");
  }

  private static String reason() {
    return "{\"reason\": \"%s\"}".formatted(WHY);
  }

  private String run(String more) {
    return site.post("/runs", "{\"target\": \"noop\", \"in\": \"PT1H\"%s}".formatted(more))
        .at("/id");
  }

  private String failed() {
    String id = site.post("/runs", "{\"target\": \"fail\"}").at("/id");
    site.carillon.runDue();
    assertThat(site.get("/runs/" + id).at("/state")).isEqualTo("failed");
    return id;
  }
}
