package dev.carillon.server;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.carillon.Carillon;
import dev.carillon.fixture.EmbeddedPostgres;
import dev.carillon.fixture.PostgresServer;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.postgresql.ds.PGSimpleDataSource;

/** A server and a program that embeds Carillon on one database: each does what it can. */
@ExtendWith(EmbeddedPostgres.class)
@Timeout(120)
class SharedDatabaseTest {
  private static final String JOBS = "/api/v2/admin/cron/jobs";

  private final String database;
  private final Served server;
  private final BlockingQueue<String> done = new LinkedBlockingQueue<>();

  SharedDatabaseTest(PostgresServer postgres, @TempDir Path folder) {
    database = Served.freshDatabase(postgres);
    server = Served.start(database, folder, Map.of());
  }

  @AfterEach
  void stop() {
    server.close();
  }

  private Carillon program() {
    var source = new PGSimpleDataSource();
    DatabaseUrl url = DatabaseUrl.parse(database);
    source.setUrl(url.jdbc());
    url.user().ifPresent(source::setUser);
    url.password().ifPresent(source::setPassword);
    return Carillon.builder()
        .dataSource(source)
        .target("calling_my_mom", run -> done.add(run.payload().json()))
        .build()
        .start();
  }

  private JsonNode once(String path, String state) throws Exception {
    JsonNode found;
    do {
      found = server.ask("GET", path, "");
    } while (!found.path("state").asText().equals(state));
    return found;
  }

  private int status(String method, String path, String body) throws Exception {
    return server.send(server.token(), method, path, body).statusCode();
  }

  private String taken() throws InterruptedException {
    return Optional.ofNullable(done.poll(60, TimeUnit.SECONDS)).orElseThrow();
  }

  @Test
  void the_server_accepts_what_the_program_has_in_code_and_the_program_runs_it() throws Exception {
    assertThat(status("POST", JOBS, SourceText.of("cron-job-recurring.json"))).isEqualTo(422);
    try (Carillon program = program()) {
      JsonNode made = server.ask("POST", JOBS, SourceText.of("cron-job-recurring.json"));
      JsonNode run =
          server.ask("POST", JOBS + "/%s/run-now".formatted(made.path("id").asText()), "");
      String payload = taken();
      JsonNode ended = once("/api/v1/runs/" + run.path("id").asText(), "succeeded");

      assertThat(made.path("version").asInt()).isEqualTo(1);
      assertThat(made.has("warnings")).isFalse();
      assertThat(Answer.parse(payload).path("message").asText()).isEqualTo("hello world");
      assertThat(ended.path("node").asText()).isEqualTo(program.nodeId().toString());
      assertThat(server.ask("GET", "/api/v1/targets/calling_my_mom", "").path("type").asText())
          .isEqualTo("handler");
    }
  }

  @Test
  void while_the_program_is_away_its_runs_wait_and_that_is_said() throws Exception {
    program().close();
    JsonNode target;
    do { // a server sees within a second or so that a program has left
      target = server.ask("GET", "/api/v1/targets/calling_my_mom", "");
    } while (!target.has("warnings"));
    JsonNode made =
        server.ask("POST", "/api/v1/runs", "{\"target\": \"calling_my_mom\", \"payload\": {}}");
    try (Carillon program = program()) {
      JsonNode ended = once("/api/v1/runs/" + made.path("id").asText(), "succeeded");

      assertThat(made.at("/warnings/0/code").asText()).isEqualTo("target_unserved");
      assertThat(ended.path("node").asText()).isEqualTo(program.nodeId().toString());
    }
  }

  @Test
  void a_label_for_workers_may_be_served_by_handlers_too() throws Exception {
    assertThat(status("PUT", "/api/v1/targets/calling_my_mom", "{\"type\": \"worker\"}"))
        .isEqualTo(201);
    JsonNode waiting = server.ask("POST", "/api/v1/runs", "{\"target\": \"calling_my_mom\"}");
    try (Carillon program = program()) {
      JsonNode ended = once("/api/v1/runs/" + waiting.path("id").asText(), "succeeded");

      assertThat(ended.path("node").asText()).isEqualTo(program.nodeId().toString());
      assertThat(status("PUT", "/api/v1/targets/calling_my_mom", "{\"type\": \"worker\"}"))
          .isEqualTo(200);
    }
  }

  @Test
  void what_is_in_code_elsewhere_can_be_a_label_for_workers_and_nothing_else() throws Exception {
    try (Carillon program = program()) {
      String run =
          server
              .ask("POST", "/api/v1/runs", "{\"target\": \"calling_my_mom\"}")
              .path("id")
              .asText();
      once("/api/v1/runs/" + run, "succeeded");

      assertThat(status("PUT", "/api/v1/targets/calling_my_mom", "{\"type\": \"log\"}"))
          .isEqualTo(409);
      assertThat(status("PUT", "/api/v1/targets/calling_my_mom", "{\"type\": \"worker\"}"))
          .isEqualTo(201);
      assertThat(program.targets().labels()).containsExactly("calling_my_mom");
    }
  }
}
