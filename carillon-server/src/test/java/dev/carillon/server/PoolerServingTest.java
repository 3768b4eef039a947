package dev.carillon.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.carillon.Carillon;
import dev.carillon.RunDraft;
import dev.carillon.ScheduleDraft;
import dev.carillon.fixture.Await;
import dev.carillon.fixture.EmbeddedPostgres;
import dev.carillon.fixture.Pgbouncer;
import dev.carillon.fixture.PostgresServer;
import dev.carillon.model.Run;
import dev.carillon.model.RunId;
import dev.carillon.model.RunState;
import dev.carillon.model.ScheduleStatus;
import dev.carillon.store.jdbc.StoreException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** A server whose database is reached in an unusual way. */
@ExtendWith(EmbeddedPostgres.class)
@Timeout(120)
class PoolerServingTest {
  private final PostgresServer postgres;
  private @TempDir Path folder;

  PoolerServingTest(PostgresServer postgres) {
    this.postgres = postgres;
  }

  private Server server(int port, String parameters) {
    var settings =
        ServerSettings.from(
            Map.of(
                "port", "0",
                "data", folder.toString(),
                "poll", "100ms",
                "database-url",
                    "jdbc:postgresql://127.0.0.1:%s/%s%s"
                        .formatted(port, postgres.createEmpty(), parameters),
                "database-user", postgres.user()),
            Map.of("CARILLON_DATABASE_PASSWORD", postgres.password()));
    return new Server(settings, step -> {});
  }

  @Test
  void a_server_behind_pgbouncer_migrates_plans_and_runs() throws InterruptedException {
    assumeTrue(Pgbouncer.isInstalled(), "skipped: pgbouncer is not installed");
    try (var pgbouncer = Pgbouncer.before(postgres.port(), postgres.user(), postgres.password());
        var server = server(pgbouncer.port(), "")) {
      server.start();
      Carillon carillon = server.carillon();
      carillon
          .schedules()
          .create(
              ScheduleDraft.named("often").target("noop").every(Duration.ofSeconds(1)).maxRuns(2));
      var ids = new ArrayList<RunId>();
      for (int i = 0; i < 30; i++) {
        ids.add(carillon.runs().enqueue(RunDraft.of("noop").overlapKey("key " + i % 3)));
      }

      for (RunId id : ids) {
        Await.until(
            "the end of " + id,
            () -> carillon.runs().get(id).map(Run::state).orElseThrow() == RunState.SUCCEEDED);
      }
      Await.until(
          "the end of the schedule",
          () -> carillon.schedules().get("often").orElseThrow().status() != ScheduleStatus.ACTIVE);
      assertThat(carillon.runs().ofSchedule("often")).hasSize(2);
    }
  }

  @Test
  void simple_queries_are_refused_before_anything_is_written() {
    try (var server = server(postgres.port(), "?preferQueryMode=simple")) {
      assertThatExceptionOfType(StoreException.class)
          .isThrownBy(server::start)
          .withMessageStartingWith("preferQueryMode=simple ");
    }
  }
}
