package dev.carillon.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.carillon.fixture.Await;
import dev.carillon.fixture.EmbeddedPostgres;
import dev.carillon.fixture.PostgresServer;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** A whole server whose database goes away and comes back. */
@ExtendWith(EmbeddedPostgres.class)
@Timeout(180)
class OutageServingTest {
  private static final String AWAY = "carillon_database_up 0.0";
  private static final String HERE = "carillon_database_up 1.0";

  private final Gateway gateway;
  private final String database;
  private final List<String> progress = new CopyOnWriteArrayList<>();
  private @TempDir Path folder;

  OutageServingTest(PostgresServer postgres) throws IOException {
    gateway = new Gateway(postgres.port());
    database =
        "postgresql://%s:%s@127.0.0.1:%s/%s"
            .formatted(
                postgres.user(), postgres.password(), gateway.port(), postgres.createMigrated());
  }

  @AfterEach
  void close() {
    gateway.close();
  }

  @Test
  void metrics_are_served_while_the_database_is_down() throws Exception {
    try (var server = started(Map.of("metrics-port", "0"))) {
      assertThat(metrics(server, server.token()).body()).contains(HERE);

      gateway.shut();
      awaitMetrics(server, AWAY);

      assertAnswersWithoutDatabase(server);
      HttpResponse<String> health = server.send(server.token(), "GET", "/health", "");
      assertThat(health.statusCode()).isEqualTo(503);
      assertThat(health.body())
          .contains("the database at 127.0.0.1:%s has not answered".formatted(gateway.port()))
          .contains("connection refused");
      assertThat(server.send("crl_nobody", "GET", "/metrics", "").statusCode()).isEqualTo(503);
      assertThat(server.send("nonsense", "GET", "/metrics", "").statusCode()).isEqualTo(401);
      assertThat(server.send(server.token(), "GET", "/readyz", "").body())
          .contains("connection refused");

      gateway.reopen();
      awaitMetrics(server, HERE);
    }
  }

  @Test
  void metrics_are_served_while_the_database_hangs() throws Exception {
    try (var server = started(Map.of("metrics-port", "0"))) {
      awaitMetrics(server, HERE);

      gateway.freeze();
      try {
        awaitMetrics(server, AWAY);

        assertAnswersWithoutDatabase(server);
        assertThat(server.send(server.token(), "GET", "/health", "").body())
            .contains("no answer within 1 s");
      } finally {
        gateway.thaw();
      }
      awaitMetrics(server, HERE);
    }
  }

  @Test
  void a_token_that_is_revoked_ends_while_the_database_answers() throws Exception {
    try (var server = started(Map.of())) {
      var made =
          server.ask(
              "POST", "/api/v1/tokens", "{\"name\": \"prometheus\", \"roles\": [\"viewer\"]}");
      String token = made.path("token").asText();
      assertThat(metrics(server, token).statusCode()).isEqualTo(200);
      server.send(server.token(), "DELETE", "/api/v1/tokens/" + made.path("id").asText(), "");

      assertThat(metrics(server, token).statusCode()).isEqualTo(401);

      gateway.shut();
      awaitMetrics(server, AWAY);
      assertThat(metrics(server, token).statusCode()).isEqualTo(503);
    }
  }

  @Test
  void an_outage_is_logged_once_and_so_is_its_end() throws Exception {
    try (var log = new LogCapture();
        var server = started(Map.of())) {
      awaitMetrics(server, HERE);
      gateway.shut();
      awaitMetrics(server, AWAY);
      String place = "the database at 127.0.0.1:%s ".formatted(gateway.port());
      gateway.reopen();
      Await.until(
          "the end of the outage in the log",
          () -> {
            metrics(server, server.token());
            return log.text().contains(place + "is back after ");
          });

      assertThat(log.text().lines().filter(line -> line.contains(place + "does not answer")))
          .singleElement()
          .asString()
          .containsPattern("connection refused|closed the connection");
      assertThat(log.text().lines().filter(line -> line.contains("a turn failed")).count())
          .isLessThanOrEqualTo(3);
    }
  }

  @Test
  void the_listener_for_metrics_serves_nothing_else() throws Exception {
    try (var server = started(Map.of("metrics-port", "0"))) {
      assertThat(open(server, "/metrics").statusCode()).isEqualTo(200);
      assertThat(open(server, "/healthz").statusCode()).isEqualTo(200);
      assertThat(open(server, "/readyz").statusCode()).isEqualTo(200);
      for (String other : List.of("/health", "/api/v1/me", "/openapi.json", "/api/v1/schedules")) {
        assertThat(open(server, other).statusCode()).as(other).isEqualTo(404);
      }
    }
  }

  @Test
  void a_start_waits_for_a_database_that_is_not_up_yet() throws Exception {
    gateway.shut();
    CompletableFuture<Served> starting =
        CompletableFuture.supplyAsync(() -> started(Map.of("database-wait", "120s")));
    Await.until("the first attempt", () -> !progress.isEmpty() || starting.isDone());
    gateway.reopen();

    try (var server = starting.join()) {
      assertThat(server.send(server.token(), "GET", "/api/v1/me", "").statusCode()).isEqualTo(200);
    }
    assertThat(progress.get(0))
        .matches(
            "cannot use the database at 127.0.0.1:%s: connection refused; is PostgreSQL running there\\?; trying again for 1\\d\\d s"
                .formatted(gateway.port()));
  }

  @Test
  void a_start_does_not_wait_for_ever() throws Exception {
    gateway.shut();

    assertThatExceptionOfType(StartException.class)
        .isThrownBy(() -> started(Map.of("database-wait", "1s")))
        .withMessageMatching(
            "cannot use the database at 127.0.0.1:%s: connection refused; is PostgreSQL running there\\?; waited \\d+ s, see --database-wait"
                .formatted(gateway.port()));
  }

  @Test
  void a_start_that_waits_can_be_stopped() throws Exception {
    gateway.shut();
    var server =
        new Server(
            ServerSettings.from(
                Map.of("port", "0", "data", folder.toString(), "database-url", database), Map.of()),
            progress::add);
    CompletableFuture<Void> starting = CompletableFuture.runAsync(server::start);
    Await.until("the first attempt", () -> !progress.isEmpty() || starting.isDone());
    server.close();

    assertThat(starting.handle((done, failure) -> String.valueOf(failure)).join())
        .contains("stopped while waiting for the database");
  }

  @Test
  void what_does_not_pass_is_not_waited_for() {
    String wrong = database.replaceFirst("[^/]+$", "absent");

    assertThatExceptionOfType(StartException.class)
        .isThrownBy(
            () ->
                Served.start(wrong, folder, Map.of("database-wait", "1h"), Map.of(), progress::add))
        .withMessageStartingWith("there is no database 'absent'");
    assertThat(progress).isEmpty();
  }

  private void assertAnswersWithoutDatabase(Served server) throws Exception {
    long begun = System.nanoTime();
    for (int i = 0; i < 10; i++) {
      assertThat(metrics(server, server.token()).body()).contains(AWAY, "carillon_pool_active");
      assertThat(open(server, "/metrics").body()).contains(AWAY);
    }
    assertThat(Duration.ofNanos(System.nanoTime() - begun)).isLessThan(Duration.ofSeconds(30));
  }

  private static void awaitMetrics(Served server, String wanted) {
    Await.until(
        wanted,
        () -> {
          HttpResponse<String> reply = metrics(server, server.token());
          assertThat(reply.statusCode()).isEqualTo(200);
          return reply.body().contains(wanted);
        });
  }

  private static HttpResponse<String> metrics(Served server, String token) throws Exception {
    return server.send(token, "GET", "/metrics", "");
  }

  private static HttpResponse<String> open(Served server, String path) throws Exception {
    String url = server.metricsUrl().replaceFirst("/metrics$", path);
    return HttpClient.newHttpClient()
        .send(HttpRequest.newBuilder(URI.create(url)).build(), BodyHandlers.ofString());
  }

  private Served started(Map<String, String> flags) {
    return Served.start(database, folder, flags, Map.of(), progress::add);
  }
}
