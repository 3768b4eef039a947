package dev.carillon.cli.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.carillon.cli.Answer;
import dev.carillon.cli.Around;
import dev.carillon.cli.remote.ScriptedServer;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RunCommandsTest {
  @TempDir Path folder;
  private final ScriptedServer server = new ScriptedServer();

  @AfterEach
  void stop() {
    server.close();
  }

  @Test
  void list_shows_how_late_and_how_long_and_why() {
    server.on(
        "GET /api/v1/runs?state=failed&schedule=x&limit=50",
        200,
        """
        {"items":[{"id":"r1","schedule":"x","target":"log","state":"failed","attempt":2,
          "trigger":"backfill","slot":"2027-03-26T11:58:00.123Z","dueAt":"2027-03-26T11:59:00Z","latenessMs":12,"durationMs":61000,
          "failure":{"code":"timeout","message":"took too long"}}],"nextCursor":null}
        """);

    assertThat(run("run list --schedule x --state failed").out())
        .isEqualTo(
            """
            RUN  SCHEDULE  TARGET  TRIGGER   SLOT                  STATE   ATTEMPT  DUE     LATE   TOOK  WHY
            r1   x         log     backfill  2027-03-26T11:58:00Z  failed        2  1m ago  12ms  1m 1s  timeout: took too long
            """);
  }

  @Test
  void list_leaves_it_to_the_server_what_is_planned_unless_it_is_asked_for() {
    String none = "{\"items\":[],\"nextCursor\":null}";
    server.on("GET /api/v1/runs?limit=50", 200, none);
    server.on("GET /api/v1/runs?planned=true&schedule=x&limit=50", 200, none);

    assertThat(run("run list").code()).isZero();
    assertThat(run("run list --planned --schedule x").code()).isZero();
  }

  @Test
  void show_tells_all_and_each_attempt() {
    server.on(
        "GET /api/v1/runs/r1",
        200,
        """
        {"id":"r1","state":"running","target":"log","slot":"2027-03-26T11:00:00Z","node":null,
         "payload":{"a":1},"attempts":[
           {"number":1,"state":"failed","node":"n1","startedAt":"2027-03-26T11:00:00Z",
            "finishedAt":"2027-03-26T11:30:00Z","failure":{"code":"boom","message":""}},
           {"number":2,"state":"running","node":"n2","startedAt":"2027-03-26T11:40:00Z",
            "finishedAt":null,"failure":null}]}
        """);

    assertThat(run("run show r1").out())
        .isEqualTo(
            """
            r1  running

              target   log
              slot     1h ago  2027-03-26T11:00:00Z
              payload  {"a":1}

            ATTEMPT  STATE    STARTED  FINISHED  NODE  FAILURE
                  1  failed   1h ago   30m ago   n1    boom
                  2  running  20m ago  -         n2
            """);
  }

  @Test
  void a_run_that_waits_for_another_attempt_says_when_and_why() {
    String waiting =
        """
        {"id":"r1","schedule":"x","target":"log","trigger":"scheduled","state":"pending","attempt":1,
         "slot":"2027-03-26T11:59:00Z","dueAt":"2027-03-26T11:59:00Z",
         "nextAttemptAt":"2027-03-26T12:00:30Z",
         "lastFailure":{"code":"http_503","message":"it answered 503"},"failure":null}
        """;
    server.on(
        "GET /api/v1/runs?limit=50", 200, "{\"items\":[" + waiting + "],\"nextCursor\":null}");
    server.on("GET /api/v1/runs/r1", 200, waiting);

    assertThat(run("run list").out()).contains("tried again in 30s: http_503: it answered 503");
    assertThat(run("run show r1").out())
        .contains("next attempt  in 30s  2027-03-26T12:00:30Z\n")
        .contains("because       http_503: it answered 503\n");
  }

  @Test
  void a_long_payload_and_the_details_of_a_failure_are_shown_on_lines_of_their_own() {
    server.on(
        "GET /api/v1/runs/r1",
        200,
        """
        {"id":"r1","state":"failed","idempotencyKey":"k","durationMs":1500,
         "payload":{"to":"somebody@somewhere.example","about":"something that takes many words"},
         "failure":{"code":"http_500","message":"it broke","details":"HTTP 500\\n\\noh no"}}
        """);

    assertThat(run("run show r1").out())
        .isEqualTo(
            """
            r1  failed

              idempotency key  k
              took             1s
              payload          {
                                 "to" : "somebody@somewhere.example",
                                 "about" : "something that takes many words"
                               }
              failure          http_500: it broke
              details          HTTP 500
                              \s
                               oh no
            """);
  }

  @Test
  void a_stream_that_ends_is_taken_up_behind_the_last_event() {
    server.on(
        "GET /api/v1/events?schedule=x",
        200,
        """
        id: 7-1

        id: 8-1
        event: run.succeeded
        data: {"id":"r1","schedule":"x","state":"succeeded","attempt":1,\
        "startedAt":"2027-03-26T11:00:00Z","finishedAt":"2027-03-26T11:01:05Z"}

        : still there

        event: schedule.paused
        data: {"schedule":"x"}

        id: 9-1
        event: run.failed
        """);
    server.on(
        "GET /api/v1/events?schedule=x",
        200,
        """
        id: 9-1
        event: run.failed
        data: {"id":"r2","schedule":"x","state":"failed","attempt":1,"code":"timeout"}

        """);

    Answer answer = run("run watch --schedule x --count 2");

    assertThat(answer)
        .isEqualTo(
            new Answer(
                0,
                "11:01:05Z  succeeded  r1  x  1m 5s\n12:00:00Z  failed     r2  x  timeout\n",
                ""));
    assertThat(server.asked())
        .extracting(asked -> asked.header("Last-event-id"))
        .containsExactly(null, "8-1");
  }

  @Test
  void whoever_may_not_listen_any_more_is_told_so() {
    server.on("GET /api/v1/events", 200, "id: 7-1\n\n");
    server.on("GET /api/v1/events", 503, "{\"detail\":\"starting\"}");
    server.on("GET /api/v1/events", 401, "{\"detail\":\"revoked\"}");

    Answer answer = run("run watch");

    assertThat(answer.code()).isEqualTo(4);
    assertThat(answer.err())
        .startsWith("carillon: the server is gone; waiting for it\ncarillon: revoked");
    assertThat(run("run watch r1 --schedule x").code()).isEqualTo(2);
  }

  @Test
  void dead_letters_are_driven_again_by_id_or_by_what_they_are() {
    server.on(
        "POST /api/v1/dead-letters/redrive",
        200,
        "{\"matched\":2,\"first\":[{\"id\":\"a\",\"schedule\":\"x\",\"slot\":\"s\"}],\"redriven\":2}");

    assertThat(run("dead redrive a b --payload {}").out()).isEqualTo("2 runs are pending again\n");
    assertThat(body()).isEqualTo("{\"payload\":{},\"ids\":[\"a\",\"b\"]}");
    assertThat(run("dead redrive --schedule x --from 2027-03-01").code()).isEqualTo(2);
    Answer done = run("dead redrive --schedule x --from 2027-03-01 --yes");
    assertThat(done.err()).isEqualTo("Run again 2 dead letters:\n  a  x  s\n  and 1 more\n");
    assertThat(body())
        .isEqualTo(
            "{\"filter\":{\"schedule\":\"x\",\"from\":\"2027-03-01T00:00:00Z\"},\"expect\":2}");
    assertThat(run("dead redrive").code()).isEqualTo(2);
  }

  @Test
  void a_run_can_be_started_canceled_and_tried_again() {
    server.on(
        "POST /api/v1/runs",
        202,
        "{\"id\":\"r1\",\"state\":\"pending\",\"dueAt\":\"2027-03-26T12:15:00Z\"}");
    server.on("POST /api/v1/runs/r1/cancel", 200, "{\"state\":\"running\"}");
    server.on("POST /api/v1/runs/r1/retry", 202, "{\"id\":\"r1\",\"state\":\"pending\"}");

    assertThat(run("run start log --in PT15M --correlation c").out())
        .isEqualTo("run r1 is pending, due in 15m\n");
    assertThat(body()).isEqualTo("{\"target\":\"log\",\"in\":\"PT15M\",\"correlation\":\"c\"}");
    assertThat(run("run cancel r1 --reason wrong").out()).isEqualTo("run r1 was asked to stop\n");
    assertThat(run("run retry r1").out()).isEqualTo("run r1 is pending\n");
  }

  private Answer run(String command) {
    return Around.in(folder).with("CARILLON_SERVER", server.url()).run(command.split(" "));
  }

  private String body() {
    return server.asked().get(server.asked().size() - 1).body();
  }
}
