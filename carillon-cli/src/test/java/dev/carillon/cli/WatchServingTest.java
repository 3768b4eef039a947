package dev.carillon.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.carillon.cli.console.Json;
import dev.carillon.fixture.Await;
import dev.carillon.fixture.EmbeddedPostgres;
import dev.carillon.fixture.PostgresServer;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** {@code carillon run watch} against the events of real servers. */
@ExtendWith(EmbeddedPostgres.class)
@Timeout(180)
class WatchServingTest {
  private final PostgresServer postgres;
  private final String database;
  private final Path folder;
  private final RealServer server;

  WatchServingTest(PostgresServer postgres, @TempDir Path folder) {
    this.postgres = postgres;
    this.folder = folder;
    database = postgres.createMigrated();
    server = new RealServer(postgres, database, folder, Map.of());
  }

  @BeforeEach
  void define() {
    server.ok("target put jobs --type worker");
  }

  @AfterEach
  void stop() {
    server.close();
  }

  @Test
  void a_run_is_told_when_it_starts_and_when_it_ends() throws Exception {
    var watching = new Watching(server.environment(), "run watch");
    watching.nextAfter(() -> server.ok("run start noop"));
    String id = Json.text(server.json("run start jobs"), "/id");

    JsonNode claimed = claim();
    String started = watching.next(line -> line.contains(id));
    complete(claimed, "failed");
    String ended = watching.next(line -> line.contains(id));

    assertThat(started).matches("\\d\\d:\\d\\d:\\d\\dZ  running    " + id + "  jobs");
    assertThat(ended)
        .matches("\\d\\d:\\d\\d:\\d\\dZ  failed     " + id + "  jobs  [0-9ms ]+  no_luck");
    assertThat(watching.err()).isEmpty();
  }

  @Test
  void with_json_each_line_is_one_run_and_filters_hold() throws Exception {
    server.ok("schedule create wanted --target noop --in P1D");
    server.ok("schedule create other --target noop --in P1D");
    var watching =
        new Watching(
            server.environment(),
            "run watch --schedule wanted --trigger manual --state succeeded --count 3 -o json");
    watching.nextAfter(
        () -> {
          server.ok("schedule run other");
          server.ok("run start noop");
          server.ok("schedule run wanted");
        });
    server.ok("schedule run wanted");
    JsonNode second = Json.read(watching.next());
    server.ok("schedule run wanted");
    Json.read(watching.next());

    assertThat(watching.code()).isZero();
    assertThat(Json.text(second, "/schedule")).isEqualTo("wanted");
    assertThat(Json.text(second, "/state")).isEqualTo("succeeded");
    assertThat(Json.text(second, "/trigger")).isEqualTo("manual");
  }

  @Test
  void what_ends_while_the_server_restarts_is_told_when_it_is_back() throws Exception {
    try (var other = new RealServer(postgres, database, folder.resolve("other"), Map.of())) {
      var watching = new Watching(server.environment(), "run watch --state succeeded -o json");
      watching.nextAfter(() -> other.ok("run start noop"));

      server.goAway();
      String id = Json.text(other.json("run start noop"), "/id");
      Await.until("the end of " + id, () -> other.run("run watch " + id).code() == 0);
      Await.until("the loss is noticed", () -> watching.err().contains("the server is gone"));
      server.comeBack();

      assertThat(watching.next(line -> line.contains(id))).contains("\"state\":\"succeeded\"");
      assertThat(watching.err())
          .isEqualTo(
              "carillon: the server is gone; waiting for it\ncarillon: the server is back\n");
      String next = Json.text(server.json("run start noop"), "/id");
      watching.next(line -> line.contains(next));
      assertThat(watching.rest()).noneMatch(line -> line.contains(id));
    }
  }

  @Test
  void watching_one_run_ends_with_it_and_says_how() throws Exception {
    String id = Json.text(server.json("run start jobs"), "/id");
    var watching = new Watching(server.environment(), "run watch " + id);
    assertThat(watching.next()).contains("pending", id);

    JsonNode claimed = claim();
    assertThat(watching.next()).contains("running", id);
    complete(claimed, "succeeded");
    assertThat(watching.next()).contains("succeeded", id);
    assertThat(watching.code()).isZero();

    String canceled = Json.text(server.json("run start jobs --in PT1H"), "/id");
    var again = new Watching(server.environment(), "run watch " + canceled);
    assertThat(again.next()).contains("pending");
    server.ok("run cancel " + canceled + " --reason wrong");
    assertThat(again.next()).contains("canceled", "wrong");
    assertThat(again.code()).isEqualTo(1);
    assertThat(server.run("run watch 01981b2c-5a00-7000-8000-000000000001").code()).isEqualTo(3);
  }

  private JsonNode claim() throws Exception {
    return server
        .rest()
        .post("/workers/claim", "{\"worker\":\"w\",\"targets\":[\"jobs\"],\"wait\":\"PT20S\"}")
        .at("/runs/0");
  }

  private void complete(JsonNode run, String outcome) throws Exception {
    String failure = outcome.equals("failed") ? ",\"failure\":{\"code\":\"no_luck\"}" : "";
    server
        .rest()
        .post(
            "/workers/complete",
            "[{\"id\":%s,\"attempt\":%s,\"fence\":%s,\"outcome\":\"%s\"%s}]"
                .formatted(
                    run.path("id"), run.path("attempt"), run.path("fence"), outcome, failure));
  }
}
