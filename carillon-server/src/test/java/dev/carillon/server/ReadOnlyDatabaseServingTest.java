package dev.carillon.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.carillon.fixture.Await;
import dev.carillon.fixture.EmbeddedPostgres;
import dev.carillon.fixture.PostgresServer;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** A whole server with schedules whose database is made read-only, and writable again. */
@ExtendWith(EmbeddedPostgres.class)
@Timeout(60)
class ReadOnlyDatabaseServingTest {
  private static final String SCHEDULE =
      "{\"target\": \"noop\", \"timing\": {\"cron\": \"* * * * * *\"}}";

  private final PostgresServer postgres;
  private final String name;
  private @TempDir Path folder;

  ReadOnlyDatabaseServingTest(PostgresServer postgres) {
    this.postgres = postgres;
    this.name = postgres.createMigrated();
  }

  @Test
  void it_is_an_outage_with_its_cause_and_passes_by_itself() throws Exception {
    String url =
        "postgresql://%s:%s@127.0.0.1:%s/%s"
            .formatted(postgres.user(), postgres.password(), postgres.port(), name);
    try (var log = new LogCapture();
        var server = Served.start(url, folder, Map.of())) {
      assertThat(put(server, "ticking").statusCode()).isEqualTo(201);
      Await.until("a run", () -> ended(server) > 0);

      readOnly("on");
      Await.until("not ready", () -> ready(server).body().contains("it is read-only"));
      assertThat(ready(server).statusCode()).isEqualTo(503);
      Await.until(
          "sessions that were ended are replaced",
          () -> put(server, "other").body().contains("is read-only"));
      for (int i = 0; i < 200; i++) {
        HttpResponse<String> refused = put(server, "other");
        assertThat(refused.statusCode()).isEqualTo(503);
        assertThat(refused.body()).contains("The database is read-only; try again.");
        assertThat(refused.headers().firstValue("Retry-After")).isPresent();
      }
      assertThat(server.send(server.token(), "GET", "/api/v1/schedules", "").statusCode())
          .isEqualTo(200);
      assertThat(server.send(server.token(), "GET", "/health", "").body())
          .contains("it is read-only");
      assertThat(server.send(server.token(), "GET", "/metrics", "").body())
          .contains("carillon_database_up 1.0", "carillon_database_writable 0.0");
      assertThat(linesAbout(log, "SQLSTATE 25006")).hasSizeLessThanOrEqualTo(2);
      assertThat(linesAbout(log, "\"level\":\"ERROR\"")).isEmpty();
      assertThat(linesAbout(log, "\"error\":"))
          .filteredOn(line -> !line.contains("\"level\":\"DEBUG\""))
          .noneMatch(line -> line.contains("\"logger\":\"dev.carillon"));

      long before = ended(server);
      readOnly("off");
      Await.until("ready", () -> ready(server).statusCode() == 200);
      Await.until("a change", () -> put(server, "other").statusCode() < 300);
      Await.until("more runs", () -> ended(server) > before + 2);
      assertThat(linesAbout(log, "is writable again after")).hasSize(1);
    }
  }

  /* New sessions only are read-only, and stay so: those of before are ended as a fail-over would. */
  private void readOnly(String value) {
    postgres.execute(
        "alter database %s set default_transaction_read_only = %s".formatted(name, value));
    if (value.equals("on")) {
      postgres.execute(
          "select pg_terminate_backend(pid) from pg_stat_activity where datname = '%s'"
              .formatted(name));
    }
  }

  private static List<String> linesAbout(LogCapture log, String words) {
    return log.text().lines().filter(line -> line.contains(words)).toList();
  }

  private static HttpResponse<String> ready(Served server) throws Exception {
    return server.send("", "GET", "/readyz", "");
  }

  private static HttpResponse<String> put(Served server, String key) throws Exception {
    return server.send(server.token(), "PUT", "/api/v1/schedules/" + key, SCHEDULE);
  }

  private static long ended(Served server) throws Exception {
    return server
        .ask("GET", "/api/v1/runs?schedule=ticking&state=succeeded&limit=200", "")
        .path("items")
        .size();
  }
}
