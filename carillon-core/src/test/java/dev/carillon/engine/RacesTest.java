package dev.carillon.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.carillon.ScheduleDraft;
import dev.carillon.event.EngineLoop;
import dev.carillon.fixture.Await;
import dev.carillon.fixture.Belfry;
import dev.carillon.fixture.EmbeddedPostgres;
import dev.carillon.fixture.Psql;
import dev.carillon.testing.ManualCarillon;
import dev.carillon.testing.RecordingTarget;
import java.sql.Connection;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Two things that happen to a schedule at the same moment, the second waiting for the first. */
@ExtendWith(EmbeddedPostgres.class)
class RacesTest {
  private final DataSource postgres;
  private final Belfry belfry;
  private final Psql psql;
  private final RecordingTarget bell = new RecordingTarget();
  private final ManualCarillon node;

  RacesTest(DataSource postgres) {
    this.postgres = postgres;
    belfry = new Belfry(postgres);
    psql = belfry.psql();
    node = belfry.node(builder -> builder.target("bell", bell));
  }

  @AfterEach
  void close() {
    belfry.close();
  }

  @Test
  void a_schedule_that_is_retired_while_the_first_node_after_an_outage_joins_keeps_its_due_runs()
      throws Exception {
    node.schedules()
        .create(ScheduleDraft.named("race").target("bell").every(Duration.ofSeconds(10)));
    node.turn(EngineLoop.PLANNING);
    List<String> planned = psql.rows("select slot from carillon.run order by slot");
    belfry.clock().advance(Duration.ofSeconds(30));

    whileRetiring(() -> belfry.node(builder -> builder.target("bell", bell)));

    assertThat(planned).isNotEmpty();
    assertThat(psql.rows("select slot from carillon.run order by slot")).isEqualTo(planned);
    assertThat(psql.rows("select next_slot from carillon.cursor")).containsExactly("null");
  }

  @Test
  void a_schedule_that_is_retired_while_its_run_ends_does_not_repeat() throws Exception {
    node.schedules()
        .create(
            ScheduleDraft.named("race").target("bell").every(Duration.ofSeconds(10)).afterFinish());
    node.turn(EngineLoop.PLANNING);
    belfry.clock().advance(Duration.ofSeconds(10));
    node.turn(EngineLoop.HEARTBEAT);
    node.turn(EngineLoop.CLAIMING);

    whileRetiring(() -> node.turn(EngineLoop.COMPLETION));

    assertThat(bell.calls()).hasSize(1);
    assertThat(psql.rows("select next_slot from carillon.cursor")).containsExactly("null");
  }

  /** Do {@code second} so that it waits for a change that retires the schedule. */
  private void whileRetiring(Runnable second) throws Exception {
    try (Connection change = postgres.getConnection();
        var statement = change.createStatement()) {
      change.setAutoCommit(false);
      statement.execute("select from carillon.cursor for update");
      var waiting = CompletableFuture.runAsync(second);
      Await.until(
          "the lock to be asked for",
          () -> !psql.rows("select from pg_locks where not granted").isEmpty() || waiting.isDone());
      statement.execute("update carillon.schedule set status = 'retired'");
      statement.execute("update carillon.cursor set next_slot = null, plan_by = null");
      change.commit();
      waiting.get(30, TimeUnit.SECONDS);
    }
  }
}
