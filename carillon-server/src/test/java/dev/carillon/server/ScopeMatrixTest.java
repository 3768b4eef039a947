package dev.carillon.server;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.carillon.fixture.EmbeddedPostgres;
import dev.carillon.server.web.Reach;
import dev.carillon.server.web.Request;
import dev.carillon.server.web.Role;
import dev.carillon.server.web.Route;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Every route against tokens whose scope reaches what is asked for, or does not. */
@ExtendWith(EmbeddedPostgres.class)
class ScopeMatrixTest {
  private static final String TIMING = "\"timing\": {\"cron\": \"0 * * * *\"}";
  private static final AtomicInteger SIDES = new AtomicInteger(1000);
  private static final String NO_RUN = "01900000-0000-8000-8000-000000000001";

  /* What must come of a request about something outside the scope. */
  private enum Outside {
    /** Answered as if it did not exist, in the same words. */
    UNKNOWN,
    /** Refused, with the field to blame. */
    REFUSED,
    /** Left out of a list. */
    LEFT_OUT,
    /** Done to none: the number in the answer is zero. */
    NONE
  }

  /* Which kinds of scope reach the inside of it. */
  private enum By {
    ANY,
    TARGETS_ONLY,
    NO_TARGETS,
    NO_TAGS
  }

  /**
   * A request about one side: @ is a key of it, # its target and tag, $dead a failed run, $run one
   * to come, $lease one that a worker has.
   */
  private record Example(String method, String path, String body, Outside outside, By by) {
    Example by(By other) {
      return new Example(method, path, body, outside, other);
    }
  }

  private static Example unknown(String method, String path, String body) {
    return new Example(method, path, body, Outside.UNKNOWN, By.ANY);
  }

  private static Example refused(String method, String path, String body) {
    return new Example(method, path, body, Outside.REFUSED, By.ANY);
  }

  private static Example leftOut(String path) {
    return new Example("GET", path, "", Outside.LEFT_OUT, By.ANY);
  }

  private static Example none(String method, String path, String body) {
    return new Example(method, path, body, Outside.NONE, By.ANY);
  }

  private static Map<String, Example> examples() {
    String one = "/api/v1/schedules/@";
    String defined = "\"target\": \"#\", \"tags\": [\"#\"], " + TIMING;
    String held = "{\"id\": \"$lease\", \"attempt\": 1, \"fence\": \"$fence\"";
    var examples = new LinkedHashMap<String, Example>();
    examples.put("listSchedules", leftOut("/api/v1/schedules"));
    examples.put(
        "createSchedule",
        refused("POST", "/api/v1/schedules", "{\"key\": \"@-new\", " + defined + "}"));
    examples.put("deleteSchedules", none("DELETE", "/api/v1/schedules?q=@", ""));
    examples.put("getSchedule", unknown("GET", one, ""));
    examples.put("putSchedule", refused("PUT", one + "-new", "{" + defined + "}"));
    examples.put("patchSchedule", unknown("PATCH", one, "{\"description\": \"other\"}"));
    examples.put("deleteSchedule", unknown("DELETE", one, ""));
    examples.put("pauseSchedule", unknown("POST", one + "/pause", "{\"reason\": \"test\"}"));
    examples.put("resumeSchedule", unknown("POST", one + "/resume", "{}"));
    examples.put("runSchedule", unknown("POST", one + "/run", "{\"overlap\": \"allow\"}"));
    examples.put(
        "backfillSchedule",
        unknown(
            "POST",
            one + "/backfill",
            "{\"from\": \"2025-12-31T00:00:00Z\", \"to\": \"2025-12-31T02:00:00Z\"}"));
    examples.put("listFires", unknown("GET", one + "/fires", ""));
    examples.put("countRunsByDay", unknown("GET", one + "/days", ""));
    examples.put("explainSchedule", unknown("GET", one + "/explain?at=2026-01-01T01:00:00Z", ""));
    examples.put("listVersions", unknown("GET", one + "/versions", ""));
    examples.put("getVersion", unknown("GET", one + "/versions/1", ""));
    examples.put("diffVersions", unknown("GET", one + "/versions/1/diff", ""));
    examples.put("rollbackSchedule", unknown("POST", one + "/rollback", "{\"version\": 1}"));
    examples.put(
        "changeSchedules",
        none(
            "POST",
            "/api/v1/schedules/bulk",
            "{\"filter\": {\"q\": \"@\"}, \"action\": \"pause\", \"reason\": \"test\", \"all\": true}"));
    examples.put("listRuns", leftOut("/api/v1/runs?planned=true&limit=500"));
    examples.put("getRun", unknown("GET", "/api/v1/runs/$dead", ""));
    examples.put("cancelRun", unknown("POST", "/api/v1/runs/$run/cancel", "{\"reason\": \"x\"}"));
    examples.put("retryRun", unknown("POST", "/api/v1/runs/$dead/retry", "{}"));
    examples.put(
        "reportRun", unknown("POST", "/api/v1/runs/$run/status", "{\"status\": \"started\"}"));
    examples.put(
        "createRun", refused("POST", "/api/v1/runs", "{\"target\": \"#\"}").by(By.TARGETS_ONLY));
    examples.put(
        "cancelRuns", none("DELETE", "/api/v1/runs?correlation=@", "").by(By.TARGETS_ONLY));
    examples.put("listDeadLetters", leftOut("/api/v1/dead-letters"));
    examples.put(
        "redriveDeadLetters",
        none("POST", "/api/v1/dead-letters/redrive", "{\"ids\": [\"$dead\"]}"));
    examples.put(
        "dismissDeadLetters",
        none("POST", "/api/v1/dead-letters/dismiss", "{\"ids\": [\"$dead\"], \"reason\": \"x\"}"));
    examples.put(
        "claimRuns",
        refused("POST", "/api/v1/workers/claim", "{\"worker\": \"w\", \"targets\": [\"#\"]}")
            .by(By.TARGETS_ONLY));
    examples.put(
        "renewLeases",
        none(
            "POST",
            "/api/v1/workers/heartbeat",
            "{\"worker\": \"anna\", \"runs\": [" + held + "}]}"));
    examples.put(
        "completeRuns",
        none("POST", "/api/v1/workers/complete", "[" + held + ", \"outcome\": \"succeeded\"}]"));
    String ping = "/api/v1/pings/@";
    String expected = "{\"expect\": {\"successEvery\": \"P1D\"}, \"tags\": [\"#\"]}";
    examples.put("listPings", leftOut("/api/v1/pings").by(By.NO_TARGETS));
    examples.put("getPing", unknown("GET", ping, "").by(By.NO_TARGETS));
    examples.put("putPing", refused("PUT", ping + "-new", expected).by(By.NO_TARGETS));
    examples.put("ping", unknown("POST", ping, "{}").by(By.NO_TARGETS));
    examples.put("pingStart", unknown("POST", ping + "/start", "{}").by(By.NO_TARGETS));
    examples.put("pingSuccess", unknown("POST", ping + "/success", "{}").by(By.NO_TARGETS));
    examples.put("pingFail", unknown("POST", ping + "/fail", "{}").by(By.NO_TARGETS));
    examples.put("deletePing", unknown("DELETE", ping, "").by(By.NO_TARGETS));
    examples.put("listAudit", leftOut("/api/v1/audit?limit=500"));
    examples.put("listTargets", leftOut("/api/v1/targets").by(By.TARGETS_ONLY));
    examples.put("getTarget", unknown("GET", "/api/v1/targets/#", "").by(By.TARGETS_ONLY));
    examples.put("testTarget", unknown("POST", "/api/v1/targets/#/test", "{}").by(By.TARGETS_ONLY));
    examples.put(
        "createTimeout",
        refused(
                "POST",
                "/api/v1/workflow-instances/@/timeouts",
                "{\"timeout\": \"PT1H\", \"handlerStep\": \"late\", \"target\": \"#\"}")
            .by(By.TARGETS_ONLY));
    examples.put(
        "cancelTimeouts",
        none("DELETE", "/api/v1/workflow-instances/@/timeouts", "").by(By.TARGETS_ONLY));
    examples.put(
        "startWorkflow",
        refused(
                "POST",
                "/api/v1/run-launcher/start",
                "{\"workflowId\": \"w\", \"idempotencyKey\": \"@\", \"target\": \"#\"}")
            .by(By.TARGETS_ONLY));
    examples.put(
        "upsertRegisteredSchedule",
        refused(
                "POST",
                "/schedules/upsert",
                "{\"schedule_id\": \"@-new\", \"workflow_id\": \"w\", \"version\": 1, \"user_id\":"
                    + " \"u\", \"cron_expr\": \"0 2 * * *\", \"timezone\": \"UTC\", \"target\":"
                    + " \"#\"}")
            .by(By.NO_TAGS));
    examples.put(
        "pauseRegisteredSchedule",
        unknown("POST", "/schedules/pause", "{\"schedule_id\": \"@\", \"paused\": true}"));
    examples.put("getRegisteredSchedule", unknown("GET", "/schedules/@", ""));
    examples.put("deleteRegisteredSchedule", unknown("DELETE", "/schedules/@", ""));
    return examples;
  }

  /* These are tried by tests of their own: the first has one target only, the second has no end, the
   * third names few of many. */
  private static final Set<String> ELSEWHERE =
      Set.of("startRegisteredWorkflow", "listenToEvents", "getForecast");

  /* Something inside or outside of the scope, or that there is not. */
  private record Side(String key, String target, Map<String, String> runs) {
    String put(String text) {
      String said = text.replace("@", key).replace("#", target);
      for (Map.Entry<String, String> run : runs.entrySet()) {
        said = said.replace(run.getKey(), run.getValue());
      }
      return said;
    }
  }

  private final Site site;

  ScopeMatrixTest(DataSource source) {
    site = new Site(source);
    for (String label : List.of("mine", "theirs")) {
      assertThat(site.put("/targets/" + label, "{\"type\": \"worker\"}").status()).isIn(200, 201);
    }
    assertThat(site.put("/workflows/w/versions/1", "{\"triggers\": []}").status()).isIn(200, 201);
  }

  @AfterEach
  void close() {
    site.close();
  }

  private String token(String scope) {
    Answer made =
        site.post(
            "/tokens",
            "{\"name\": \"t\", \"roles\": [\"editor\"], \"scope\": %s}".formatted(scope));
    assertThat(made.status()).as(made.text()).isEqualTo(201);
    return made.at("/token");
  }

  private Side side(String prefix, String target) {
    String key = prefix + "-" + SIDES.incrementAndGet();
    String path = "/schedules/" + key;
    String definition =
        "{\"target\": \"%s\", \"tags\": [\"%s\"], \"overlap\": \"allow\", %s}"
            .formatted(target, target, TIMING);
    assertThat(site.put(path, definition).status()).isEqualTo(201);
    assertThat(site.patch(path, "{\"description\": \"second\"}").status()).isEqualTo(200);
    var runs = new LinkedHashMap<String, String>();
    JsonNode dead = claim(target, site.post(path + "/run", "{}").at("/id"));
    site.post("/workers/complete", "[" + ended(dead) + "]");
    runs.put("$dead", dead.get("id").asText());
    JsonNode lease = claim(target, site.post(path + "/run", "{}").at("/id"));
    runs.put("$lease", lease.get("id").asText());
    runs.put("$fence", lease.get("fence").asText());
    runs.put("$run", site.post(path + "/run", "{}").at("/id"));
    site.post(
        "/runs",
        "{\"target\": \"%s\", \"correlation\": \"%s\", \"in\": \"PT1H\"}".formatted(target, key));
    site.post(
        "/workflow-instances/%s/timeouts".formatted(key),
        "{\"timeout\": \"PT1H\", \"handlerStep\": \"s\", \"target\": \"%s\"}".formatted(target));
    site.put(
        "/pings/" + key,
        "{\"expect\": {\"successEvery\": \"P1D\"}, \"tags\": [\"%s\"]}".formatted(target));
    return new Side(key, target, runs);
  }

  private JsonNode claim(String target, String id) {
    String order =
        "{\"worker\": \"anna\", \"targets\": [\"%s\"], \"max\": 100, \"lease\": \"PT1H\"}";
    for (JsonNode run : site.post("/workers/claim", order.formatted(target)).json().at("/runs")) {
      if (run.get("id").asText().equals(id)) {
        return run;
      }
    }
    throw new AssertionError("the run is not due");
  }

  private static String ended(JsonNode run) {
    return "{\"id\": \"%s\", \"attempt\": %s, \"fence\": \"%s\", \"outcome\": \"failed\", \"retryable\": false}"
        .formatted(run.get("id").asText(), run.get("attempt").asInt(), run.get("fence").asText());
  }

  private Answer send(String token, Example example, Side side) {
    String path = side.put(example.path());
    int query = path.indexOf('?');
    Request request =
        Request.of(example.method(), query < 0 ? path : path.substring(0, query))
            .from("192.0.2.7")
            .header("Authorization", "Bearer " + token);
    request = query < 0 ? request : request.query(path.substring(query + 1));
    String body = side.put(example.body());
    return site.send(body.isEmpty() ? request : request.body(body));
  }

  private static boolean reaches(By by, String scope) {
    return switch (by) {
      case ANY -> true;
      case TARGETS_ONLY -> scope.contains("targets");
      case NO_TARGETS -> !scope.contains("targets");
      case NO_TAGS -> !scope.contains("tags");
    };
  }

  @Test
  void every_route_that_a_scope_limits_has_an_example() {
    Set<String> limited =
        site.routes.stream()
            .filter(route -> route.reach() == Reach.SCOPE)
            .map(Route::operation)
            .collect(Collectors.toCollection(TreeSet::new));
    limited.removeAll(ELSEWHERE);

    assertThat(examples().keySet()).containsExactlyInAnyOrderElementsOf(limited);
  }

  @Test
  void what_is_about_the_whole_cluster_is_refused_to_any_scope() {
    String token = token("{\"keys\": [\"in-\"]}");
    int tried = 0;
    for (Route route : site.routes) {
      if (route.role() != Role.OPEN && route.reach() == Reach.NOTHING) {
        String path = route.path().replaceAll("\\{[a-z]+}", "x");
        Request request =
            Request.of(route.method(), path)
                .from("192.0.2.7")
                .header("Authorization", "Bearer " + token);
        Answer answer = site.send(route.takes().isPresent() ? request.body("{}") : request);

        assertThat(answer.status()).as(route.toString()).isEqualTo(403);
        assertThat(answer.at("/code"))
            .as(route.toString())
            .isEqualTo(route.role() == Role.ADMIN ? "forbidden" : "out-of-scope");
        tried++;
      }
    }
    assertThat(tried).isGreaterThan(20);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{\"targets\": [\"mine\", \"nowhere\"]}",
        "{\"tags\": [\"mine\", \"nowhere\"]}",
        "{\"keys\": [\"in-\", \"zip-\"]}"
      })
  void each_route_reaches_what_is_inside_and_nothing_outside(String scope) {
    String token = token(scope);
    var faults = new ArrayList<String>();
    for (Map.Entry<String, Example> one : examples().entrySet()) {
      Example example = one.getValue();
      Side inside = side("in", "mine");
      Side outside = side("out", "theirs");
      String what = one.getKey();
      if (reaches(example.by(), scope)) {
        Answer good = send(token, example, inside);
        if (List.of(401, 403, 404).contains(good.status()) || isNone(example, good)) {
          faults.add(what + " inside: " + good.status() + " " + good.text());
        }
        Answer bad = send(token, example, outside);
        fault(example, bad, inside, outside).ifPresent(why -> faults.add(what + ": " + why));
      } else if (example.outside() == Outside.NONE) {
        Answer neither = send(token, example, inside);
        if (!isNone(example, neither)) {
          faults.add(what + " without a schedule: " + neither.text());
        }
      } else if (example.outside() == Outside.REFUSED) {
        Answer neither = send(token, example, inside);
        if (neither.status() != 403 || !neither.at("/code").equals("out-of-scope")) {
          faults.add(what + " without a schedule: " + neither.text());
        }
      }
    }

    assertThat(faults).isEmpty();
  }

  private Optional<String> fault(Example example, Answer answer, Side inside, Side outside) {
    String shown = answer.status() + " " + answer.text();
    boolean good =
        switch (example.outside()) {
          case UNKNOWN -> answer.status() == 404 && sameAsUnknown(example, answer, outside);
          case REFUSED ->
              answer.status() == 403
                  && answer.at("/code").equals("out-of-scope")
                  && !answer.at("/errors/0/pointer").isEmpty();
          case LEFT_OUT ->
              answer.status() == 200
                  && !answer.text().contains(outside.key())
                  && !answer.text().contains("theirs")
                  && (answer.text().contains(inside.key())
                      || answer.text().contains(inside.target()));
          case NONE -> isNone(example, answer);
        };
    return good ? Optional.empty() : Optional.of(shown);
  }

  /* Nobody can tell from the words whether it is there. */
  private boolean sameAsUnknown(Example example, Answer answer, Side outside) {
    var nothing =
        new Side(
            "zip-" + outside.key(),
            "nowhere",
            Map.of("$dead", NO_RUN, "$run", NO_RUN, "$lease", NO_RUN, "$fence", "x"));
    Answer unknown = send(site.token(Role.ADMIN), example, nothing);
    return unknown.at("/title").equals(answer.at("/title"))
        && unknown.at("/detail").replace(nothing.key(), outside.key()).equals(answer.at("/detail"));
  }

  private static boolean isNone(Example example, Answer answer) {
    if (example.outside() != Outside.NONE) {
      return false;
    }
    JsonNode body = answer.json();
    JsonNode run = body.at("/runs/0");
    if (run.isObject()) {
      return run.has("goOn")
          ? !run.get("goOn").asBoolean()
          : run.get("answer").asText().equals("unknown");
    }
    for (String count : List.of("retired", "schedules", "canceled", "redriven", "dismissed")) {
      if (body.has(count)) {
        return body.get(count).asInt() == 0;
      }
    }
    return false;
  }

  @Test
  void the_run_launcher_of_the_registrar_needs_the_target_of_workflows() {
    Example start =
        refused(
            "POST",
            "/run-launcher/start",
            "{\"workflow_id\": \"w\", \"version\": 1, \"user_id\": \"u\", \"scheduled_for\":"
                + " \"2026-01-01T00:00:00Z\", \"idempotency_key\": \"k\"}");
    var any = new Side("", "", Map.of());

    assertThat(send(token("{\"targets\": [\"mine\"]}"), start, any).status()).isEqualTo(403);
    assertThat(send(token("{\"targets\": [\"workflow\"]}"), start, any).status()).isEqualTo(202);
  }

  @Test
  void whether_there_is_a_workflow_is_not_told_to_those_who_cannot_start_it() {
    var any = new Side("", "", Map.of());
    String mine = token("{\"targets\": [\"mine\"]}");
    String tagged = token("{\"tags\": [\"mine\"]}");

    for (String body :
        List.of(
            "{\"workflowId\": \"w\", \"idempotencyKey\": \"k\"}",
            "{\"workflowId\": \"none\", \"idempotencyKey\": \"k\"}",
            "{\"workflowId\": \"w\", \"version\": 77, \"idempotencyKey\": \"k\"}")) {
      Example start = refused("POST", "/api/v1/run-launcher/start", body);
      assertThat(send(mine, start, any).status()).as(body).isEqualTo(403);
      assertThat(send(tagged, start, any).status()).as(body).isEqualTo(403);
    }
  }
}
