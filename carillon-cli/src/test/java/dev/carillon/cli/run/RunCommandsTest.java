package dev.carillon.cli.run;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import dev.carillon.cli.Answer;
import dev.carillon.cli.Around;
import dev.carillon.cli.console.Json;
import dev.carillon.cli.remote.ScriptedServer;
import java.nio.file.Path;
import java.util.List;
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
          "dueAt":"2027-03-26T11:59:00Z","latenessMs":12,"durationMs":61000,
          "failure":{"code":"timeout","message":"took too long"}}],"nextCursor":null}
        """);

    assertThat(run("run list --schedule x --state failed").out())
        .isEqualTo(
            """
            RUN  SCHEDULE  TARGET  STATE   ATTEMPT  DUE     LATE   TOOK  WHY
            r1   x         log     failed        2  1m ago  12ms  1m 1s  timeout: took too long
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
        {"id":"r1","state":"succeeded","target":"log","slot":"2027-03-26T11:00:00Z","node":null,
         "payload":{"a":1},"attempts":[{"number":1,"node":"n1","startedAt":"2027-03-26T11:00:00Z",
           "finishedAt":"2027-03-26T11:30:00Z","failure":{"code":"boom","message":""}}]}
        """);

    assertThat(run("run show r1").out())
        .isEqualTo(
            """
            r1  succeeded

              target          log
              slot            1h ago  2027-03-26T11:00:00Z
              payload         {"a":1}

            ATTEMPT  STARTED  FINISHED  NODE  FAILURE
                  1  1h ago   30m ago   n1    boom
            """);
  }

  @Test
  void watching_one_run_ends_with_it() {
    server.on("GET /api/v1/runs/r1", 200, "{\"id\":\"r1\",\"state\":\"running\",\"attempt\":1}");
    server.on("GET /api/v1/runs/r1", 200, "{\"id\":\"r1\",\"state\":\"running\",\"attempt\":1}");
    server.on(
        "GET /api/v1/runs/r1",
        200,
        "{\"id\":\"r1\",\"schedule\":\"x\",\"state\":\"failed\",\"attempt\":1,\"durationMs\":1500,"
            + "\"reason\":\"gone\"}");

    Answer answer = run("run watch r1");

    assertThat(answer.code()).isEqualTo(1);
    assertThat(answer.out())
        .isEqualTo("12:00:00Z  running    r1  \n12:00:00Z  failed     r1  x  1s  gone\n");
  }

  @Test
  void watching_many_shows_what_changed_since_it_began() {
    String now = "GET /api/v1/runs?schedule=x&to=2027-03-26T12%3A00%3A05Z&limit=100";
    server.on(now, 200, "{\"items\":[{\"id\":\"r1\",\"state\":\"succeeded\",\"attempt\":1}]}");
    server.on(
        now,
        200,
        "{\"items\":[{\"id\":\"r3\",\"state\":\"pending\",\"attempt\":0},"
            + "{\"id\":\"r2\",\"state\":\"running\",\"attempt\":1},"
            + "{\"id\":\"r1\",\"state\":\"succeeded\",\"attempt\":1}]}");
    server.on(now, 200, "{\"items\":[]}");
    server.on("GET /api/v1/runs/r2", 200, "{\"id\":\"r2\",\"state\":\"succeeded\",\"attempt\":1}");

    Answer answer = run("run watch --schedule x --count 2 -o json");

    assertThat(answer.out())
        .isEqualTo(
            """
            {"id":"r2","state":"running","attempt":1}
            {"id":"r2","state":"succeeded","attempt":1}
            """);
  }

  @Test
  void a_run_tried_again_is_news_and_the_oldest_is_told_first() throws JsonProcessingException {
    var watch = new Watch(false);
    var first =
        Json.read(
            "[{\"id\":\"b\",\"state\":\"running\",\"attempt\":1},{\"id\":\"a\",\"state\":\"failed\",\"attempt\":1}]");
    var again = Json.read("[{\"id\":\"b\",\"state\":\"pending\",\"attempt\":1}]");

    assertThat(watch.news(first))
        .extracting(run -> Json.text(run, "/id"))
        .containsExactly("a", "b");
    assertThat(watch.news(first)).isEmpty();
    assertThat(watch.running()).isEqualTo(List.of("b"));
    assertThat(watch.news(again)).hasSize(1);
    assertThat(watch.running()).isEmpty();
  }

  @Test
  void dead_letters_are_driven_again_by_id_or_by_what_they_are() {
    server.on("POST /api/v1/dead-letters/redrive", 200, "{\"redriven\":2}");

    assertThat(run("dead redrive a b --payload {}").out()).isEqualTo("2 runs are pending again\n");
    assertThat(body()).isEqualTo("{\"ids\":[\"a\",\"b\"],\"payload\":{}}");
    assertThat(run("dead redrive --schedule x --from 2027-03-01").code()).isZero();
    assertThat(body())
        .isEqualTo("{\"filter\":{\"schedule\":\"x\",\"from\":\"2027-03-01T00:00:00Z\"}}");
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
