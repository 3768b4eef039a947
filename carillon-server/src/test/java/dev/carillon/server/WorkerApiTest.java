package dev.carillon.server;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.carillon.event.EngineLoop;
import dev.carillon.fixture.EmbeddedPostgres;
import dev.carillon.server.web.Request;
import dev.carillon.server.web.Role;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Workers in any language: what they fetch, keep and bring back, and how they wait. */
@ExtendWith(EmbeddedPostgres.class)
class WorkerApiTest {
  private final Site site;
  private final String press = "press-" + Long.toHexString(System.nanoTime());

  WorkerApiTest(DataSource source) {
    site = new Site(source);
  }

  @BeforeEach
  void define() {
    site.put("/targets/" + press, "{\"type\": \"worker\"}");
  }

  @AfterEach
  void close() {
    site.close();
  }

  private String enqueue() {
    return site.post("/runs", "{\"target\": \"%s\", \"payload\": {\"page\": 7}}".formatted(press))
        .at("/id");
  }

  private String order(String worker, String more) {
    return "{\"worker\": \"%s\", \"targets\": [\"%s\"]%s}".formatted(worker, press, more);
  }

  private Answer claim(String worker, String more) {
    return site.post("/workers/claim", order(worker, more));
  }

  private static String held(JsonNode run, String more) {
    return "{\"id\": \"%s\", \"attempt\": %s, \"fence\": \"%s\"%s}"
        .formatted(
            run.get("id").asText(), run.get("attempt").asInt(), run.get("fence").asText(), more);
  }

  private Answer complete(JsonNode run, String more) {
    return site.post("/workers/complete", "[" + held(run, more) + "]");
  }

  @Test
  void a_worker_fetches_a_run_with_its_lease_and_completes_it() {
    String id = enqueue();
    JsonNode run = claim("anna", ", \"max\": 5").json().at("/runs/0");

    assertThat(run.get("id").asText()).isEqualTo(id);
    assertThat(run.at("/payload/page").asInt()).isEqualTo(7);
    assertThat(run.get("state").asText()).isEqualTo("running");
    assertThat(run.get("leaseUntil").asText()).isEqualTo("2026-01-01T00:01:00Z");
    assertThat(claim("ben", "").json().at("/runs")).isEmpty();
    Answer done = complete(run, ", \"outcome\": \"succeeded\"");
    assertThat(done.at("/runs/0/answer")).isEqualTo("done");
    assertThat(done.at("/runs/0/state")).isEqualTo("succeeded");
    assertThat(site.get("/runs/" + id).at("/state")).isEqualTo("succeeded");
  }

  @Test
  void a_worker_learns_where_a_run_comes_from() {
    String alone = enqueue();
    site.put(
        "/schedules/daily-" + press,
        "{\"target\": \"%s\", \"timing\": {\"cron\": \"0 0 2 1 *\"}}".formatted(press));
    String planned = site.post("/schedules/daily-%s/run".formatted(press), "{}").at("/id");
    JsonNode runs = claim("anna", ", \"max\": 5").json().at("/runs");

    assertThat(runs.findValuesAsText("id")).containsExactlyInAnyOrder(alone, planned);
    for (JsonNode run : runs) {
      assertThat(run.at("/source/channel").asText()).isEqualTo("scheduler");
      assertThat(run.at("/source/connector_id")).isEqualTo(run.get("schedule"));
    }
  }

  @Test
  void each_completion_has_its_own_answer() {
    enqueue();
    enqueue();
    JsonNode runs = claim("anna", ", \"max\": 5, \"lease\": \"PT10S\"").json().at("/runs");
    complete(runs.get(0), ", \"outcome\": \"succeeded\"");
    site.clock.advance(Duration.ofSeconds(11));
    site.carillon.runDue();
    site.clock.advance(Duration.ofMinutes(1));
    site.carillon.runDue();
    JsonNode again = claim("ben", "").json().at("/runs/0");
    assertThat(again.get("id")).isEqualTo(runs.get(1).get("id"));
    String nobodys =
        "{\"id\": \"01900000-0000-8000-8000-000000000001\", \"attempt\": 1, \"fence\": \"x\"";
    Answer answer =
        site.post(
            "/workers/complete",
            "[%s, %s, %s, %s]"
                .formatted(
                    held(runs.get(0), ", \"outcome\": \"succeeded\""),
                    held(runs.get(1), ", \"outcome\": \"succeeded\""),
                    held(
                        again,
                        ", \"outcome\": \"failed\", \"retryable\": false,"
                            + " \"failure\": {\"code\": \"jam\", \"message\": \"no paper\"}"),
                    nobodys + ", \"outcome\": \"failed\"}"));

    assertThat(answer.json().at("/runs").findValuesAsText("answer"))
        .containsExactly("done", "fenced", "done", "unknown");
    assertThat(answer.json().at("/runs").findValues("problem"))
        .extracting(problem -> problem.path("status").asInt() + problem.path("code").asText())
        .containsExactly("0", "409report-contradicted", "0", "404run-unknown");
    assertThat(site.get("/runs/" + again.get("id").asText()).at("/failure/code")).isEqualTo("jam");
  }

  @Test
  void the_fence_is_needed_and_nobody_else_sees_it() {
    String id = enqueue();
    JsonNode run = claim("anna", "").json().at("/runs/0");
    String fence = run.get("fence").asText();
    for (String bare :
        List.of("", ", \"fence\": null", ", \"fence\": \"\"", ", \"fence\": \" \"")) {
      String held = "{\"id\": \"%s\", \"attempt\": 1%s".formatted(id, bare);
      Answer complete =
          site.post("/workers/complete", "[" + held + ", \"outcome\": \"succeeded\"}]");
      assertThat(complete.status()).isEqualTo(422);
      assertThat(complete.at("/errors/0/pointer")).isEqualTo("/0/fence");
      assertThat(
              site.post("/workers/heartbeat", "{\"worker\": \"anna\", \"runs\": [" + held + "}]}")
                  .status())
          .isEqualTo(422);
    }
    String worker = run.get("node").asText();
    String guess = "{\"id\": \"%s\", \"attempt\": 1, \"fence\": \"%s\"".formatted(id, worker);
    assertThat(
            site.post("/workers/complete", "[" + guess + ", \"outcome\": \"succeeded\"}]")
                .at("/runs/0/problem/detail"))
        .contains("the fence is not that of its lease");
    assertThat(
            site.post("/workers/heartbeat", "{\"worker\": \"anna\", \"runs\": [" + guess + "}]}")
                .at("/runs/0/stop"))
        .isEqualTo("fenced");
    assertThat(site.post("/runs/" + id + "/status", "{\"status\": \"succeeded\"}").status())
        .isEqualTo(409);
    for (String path :
        List.of("/runs", "/runs/" + id, "/workers", "/audit", "/dead-letters", "/targets")) {
      assertThat(site.get(path).json().toString()).doesNotContain(fence);
    }

    assertThat(site.get("/runs/" + id).at("/state")).isEqualTo("running");
    assertThat(
            site.post(
                    "/runs/" + id + "/status",
                    "{\"status\": \"succeeded\", \"fence\": \"%s\"}".formatted(fence))
                .status())
        .isEqualTo(200);
  }

  @Test
  void a_completion_that_is_repeated_is_answered_like_the_first() {
    for (String outcome :
        List.of(
            "\"succeeded\"",
            "\"failed\", \"retryable\": false, \"failure\": {\"code\": \"jam\"}",
            "\"failed\", \"failure\": {\"code\": \"jam\"}",
            "\"interrupted\", \"reason\": \"the printer is switched off\"",
            "\"accepted\"",
            "\"canceled\", \"reason\": \"the moon\"")) {
      enqueue();
      JsonNode run = claim("anna", "").json().at("/runs/0");

      for (int i = 0; i < 2; i++) {
        assertThat(complete(run, ", \"outcome\": " + outcome).at("/runs/0/answer"))
            .as(outcome)
            .isEqualTo("done");
      }
    }
  }

  @Test
  void a_completion_that_says_otherwise_than_before_is_contradicted() {
    enqueue();
    JsonNode run = claim("anna", "").json().at("/runs/0");
    complete(run, ", \"outcome\": \"succeeded\"");
    Answer otherwise = complete(run, ", \"outcome\": \"failed\"");

    assertThat(otherwise.at("/runs/0/answer")).isEqualTo("fenced");
    assertThat(otherwise.at("/runs/0/state")).isEqualTo("succeeded");
    assertThat(otherwise.at("/runs/0/problem/type"))
        .isEqualTo("/docs/problems/report-contradicted");
  }

  @Test
  void a_heartbeat_keeps_runs_and_names_those_to_stop() {
    String id = enqueue();
    enqueue();
    JsonNode runs = claim("anna", ", \"max\": 2, \"lease\": \"PT30S\"").json().at("/runs");
    site.clock.advance(Duration.ofSeconds(20));
    site.post("/runs/" + id + "/cancel", "{\"reason\": \"the moon\"}");
    Answer beat =
        site.post(
            "/workers/heartbeat",
            "{\"worker\": \"anna\", \"lease\": \"PT30S\", \"runs\": [%s, %s]}"
                .formatted(held(runs.get(0), ""), held(runs.get(1), "")));

    JsonNode canceled = beat.json().at("/runs/0");
    JsonNode kept = beat.json().at("/runs/1");
    if (!canceled.get("id").asText().equals(id)) {
      kept = canceled;
      canceled = beat.json().at("/runs/1");
    }
    assertThat(canceled.get("goOn").asBoolean()).isFalse();
    assertThat(canceled.get("stop").asText()).isEqualTo("canceled");
    assertThat(canceled.get("reason").asText()).isEqualTo("the moon");
    assertThat(kept.get("goOn").asBoolean()).isTrue();
    assertThat(kept.get("leaseUntil").asText()).isEqualTo("2026-01-01T00:00:50Z");
    Answer stranger =
        site.post(
            "/workers/heartbeat",
            "{\"worker\": \"ben\", \"runs\": [%s]}".formatted(held(runs.get(1), "")));
    assertThat(stranger.at("/runs/0/stop")).isEqualTo("fenced");
  }

  @Test
  void what_a_worker_gives_back_or_hands_on_goes_on() {
    String first = enqueue();
    complete(claim("anna", "").json().at("/runs/0"), ", \"outcome\": \"interrupted\"");
    assertThat(site.get("/runs/" + first).at("/state")).isEqualTo("pending");
    JsonNode again = claim("ben", "").json().at("/runs/0");
    assertThat(again.get("attempt").asInt()).isEqualTo(2);
    complete(again, ", \"outcome\": \"accepted\", \"externalId\": \"e-1\"");

    assertThat(site.get("/runs/" + first).at("/state")).isEqualTo("running");
    assertThat(site.get("/runs/" + first).at("/externalId")).isEqualTo("e-1");
  }

  @Test
  void workers_are_listed_with_what_they_have() {
    enqueue();
    claim("1 cleo", "");
    site.post("/workers/heartbeat", "{\"worker\": \"2 dora\"}");
    Answer list = site.get("/workers");

    assertThat(list.json().at("/items").findValuesAsText("name")).startsWith("1 cleo", "2 dora");
    assertThat(list.at("/items/0/inHand")).isEqualTo("1");
    assertThat(site.get("/workers?limit=1").at("/nextCursor")).isEqualTo("1 cleo");
  }

  @Test
  void a_worker_that_waits_is_answered_when_something_is_due() throws Exception {
    Request request =
        site.request("POST", "/workers/claim", order("anna", ", \"wait\": \"PT20S\""));
    CompletableFuture<Answer> waiting = site.sendAndWait(request);
    site.carillon.turn(EngineLoop.PULLING);
    assertThat(waiting).isNotDone();
    String id = enqueue();
    site.carillon.turn(EngineLoop.PULLING);

    assertThat(waiting.get(20, TimeUnit.SECONDS).at("/runs/0/id")).isEqualTo(id);
  }

  @Test
  void who_came_first_is_served_first() throws Exception {
    CompletableFuture<Answer> first =
        site.sendAndWait(
            site.request("POST", "/workers/claim", order("anna", ", \"wait\": \"PT20S\"")));
    CompletableFuture<Answer> second =
        site.sendAndWait(
            site.request("POST", "/workers/claim", order("ben", ", \"wait\": \"PT20S\"")));
    String id = enqueue();
    site.carillon.turn(EngineLoop.PULLING);
    assertThat(first.get(20, TimeUnit.SECONDS).at("/runs/0/id")).isEqualTo(id);
    assertThat(second).isNotDone();
    String other = enqueue();
    while (!second.isDone()) { // a wake-up is lost on a worker that is just being answered
      site.carillon.turn(EngineLoop.PULLING);
    }

    assertThat(second.join().at("/runs/0/id")).isEqualTo(other);
  }

  @Test
  void a_worker_that_has_left_is_given_nothing() throws Exception {
    var there = new AtomicBoolean(true);
    CompletableFuture<Answer> gone =
        site.sendAndWait(
            site.request("POST", "/workers/claim", order("anna", ", \"wait\": \"PT20S\""))
                .present(there::get));
    CompletableFuture<Answer> next =
        site.sendAndWait(
            site.request("POST", "/workers/claim", order("ben", ", \"wait\": \"PT20S\"")));
    there.set(false);
    String id = enqueue();
    site.carillon.turn(EngineLoop.PULLING);

    assertThat(next.get(20, TimeUnit.SECONDS).at("/runs/0/id")).isEqualTo(id);
    assertThat(gone.get(20, TimeUnit.SECONDS).json().at("/runs")).isEmpty();
    assertThat(site.get("/runs/" + id).at("/attempt")).isEqualTo("1");
  }

  @Test
  void a_worker_whose_time_is_up_is_answered_that_there_is_nothing() throws Exception {
    CompletableFuture<Answer> waiting =
        site.sendAndWait(
            site.request("POST", "/workers/claim", order("anna", ", \"wait\": \"PT0.05S\"")));

    assertThat(waiting.get(20, TimeUnit.SECONDS).json().at("/runs")).isEmpty();
    String id = enqueue();
    site.carillon.turn(EngineLoop.PULLING);
    assertThat(site.get("/runs/" + id).at("/state")).isEqualTo("pending");
  }

  @Test
  void one_caller_has_only_so_many_claims_that_wait() throws Exception {
    Request request =
        site.request("POST", "/workers/claim", order("anna", ", \"wait\": \"PT20S\""));
    var waiting = new ArrayList<CompletableFuture<Answer>>();
    for (int i = 0; i < 256; i++) {
      waiting.add(site.sendAndWait(request));
    }
    Answer refused = site.sendAndWait(request).get(20, TimeUnit.SECONDS);

    assertThat(refused.status()).isEqualTo(429);
    assertThat(refused.at("/code")).isEqualTo("too-many-waits");
    assertThat(claim("anna", "").status()).as("without waiting").isEqualTo(200);
    assertThat(
            site.sendAndWait(
                request.header("Authorization", "Bearer " + site.token(Role.OPERATOR))))
        .as("another caller")
        .isNotDone();
    String id = enqueue();
    site.carillon.turn(EngineLoop.PULLING);
    assertThat(waiting.get(0).get(20, TimeUnit.SECONDS).at("/runs/0/id")).isEqualTo(id);
    assertThat(site.sendAndWait(request)).as("in the place of one that was answered").isNotDone();
  }

  @Test
  void what_makes_no_sense_is_refused_where_it_is() {
    assertThat(site.post("/workers/claim", "{}").json().at("/errors").findValuesAsText("pointer"))
        .containsExactlyInAnyOrder("/worker", "/targets");
    assertThat(pointer("/workers/claim", order("a", ", \"max\": 101"))).isEqualTo("/max");
    assertThat(pointer("/workers/claim", order("a", ", \"wait\": \"PT21S\""))).isEqualTo("/wait");
    assertThat(pointer("/workers/claim", order("a", ", \"wait\": \"-PT1S\""))).isEqualTo("/wait");
    assertThat(pointer("/workers/claim", order("a", ", \"lease\": \"PT0S\""))).isEqualTo("/lease");
    assertThat(pointer("/workers/claim", order(" a", ""))).isEqualTo("/worker");
    assertThat(pointer("/workers/claim", order("a", ", \"patience\": 1"))).isEqualTo("/patience");
    assertThat(pointer("/workers/claim", "{\"worker\": \"a\", \"targets\": []}"))
        .isEqualTo("/targets");
    Answer nodes = site.post("/workers/claim", "{\"worker\": \"a\", \"targets\": [\"noop\"]}");
    assertThat(nodes.at("/errors/0/message"))
        .isEqualTo("nodes do this themselves; workers fetch runs of targets of type worker");
    assertThat(
            site.post("/workers/claim", "{\"worker\": \"a\", \"targets\": [\"pres\"]}")
                .at("/errors/0/message"))
        .startsWith("there is no such target");
    assertThat(pointer("/workers/heartbeat", "{\"worker\": \"a\", \"runs\": [{\"id\": \"x\"}]}"))
        .isEqualTo("/runs/0/id");
    assertThat(pointer("/workers/heartbeat", "{\"worker\": \"a\", \"runs\": [1]}"))
        .isEqualTo("/runs/0");
    assertThat(site.post("/workers/complete", "{}").status()).isEqualTo(400);
    String id =
        "\"id\": \"01900000-0000-8000-8000-000000000001\", \"attempt\": 1, \"fence\": \"x\"";
    assertThat(pointer("/workers/complete", "[{" + id + ", \"outcome\": \"great\"}]"))
        .isEqualTo("/0/outcome");
    assertThat(
            pointer(
                "/workers/complete",
                "[{" + id + ", \"outcome\": \"succeeded\", \"failure\": {\"code\": \"x\"}}]"))
        .isEqualTo("/0/failure");
  }

  private String pointer(String path, String body) {
    Answer answer = site.post(path, body);
    assertThat(answer.status()).as(body).isEqualTo(422);
    return answer.at("/errors/0/pointer");
  }
}
