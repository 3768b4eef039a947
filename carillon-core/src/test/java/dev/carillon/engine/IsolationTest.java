package dev.carillon.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.carillon.RunDraft;
import dev.carillon.ScheduleDraft;
import dev.carillon.fixture.EmbeddedPostgres;
import dev.carillon.fixture.Psql;
import dev.carillon.model.Failure;
import dev.carillon.model.Pause;
import dev.carillon.model.Run;
import dev.carillon.model.RunId;
import dev.carillon.model.RunState;
import dev.carillon.model.Schedule;
import dev.carillon.model.ScheduleStatus;
import dev.carillon.testing.ManualCarillon;
import dev.carillon.testing.RecordingTarget;
import java.time.Duration;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** One bad row, handler or listener stops nobody else. */
@ExtendWith(EmbeddedPostgres.class)
class IsolationTest {
  private final RecordingTarget bell = new RecordingTarget();
  private final RecordingTarget broken = new RecordingTarget().failing("no rope");
  private final Psql psql;
  private final ManualCarillon carillon;

  IsolationTest(DataSource postgres) {
    psql = new Psql(postgres);
    carillon =
        ManualCarillon.on(postgres)
            .target("bell", bell)
            .target("broken", broken)
            .with(
                builder ->
                    builder.listener(
                        event -> {
                          throw new IllegalStateException("a listener that always fails");
                        }))
            .start();
  }

  @AfterEach
  void close() {
    carillon.close();
  }

  @Test
  void a_schedule_that_cannot_be_read_is_paused_with_the_reason_and_the_others_fire() {
    for (String key : new String[] {"a", "b", "c"}) {
      carillon
          .schedules()
          .create(ScheduleDraft.named(key).target("bell").every(Duration.ofMinutes(1)).maxRuns(1));
    }
    psql.execute(
        """
        update carillon.schedule_version
           set definition = '{"timing": {"cron": "not a cron"}}'
         where schedule_id = (select id from carillon.schedule where key = 'b')
        """);

    carillon.pass(Duration.ofMinutes(2));

    assertThat(bell.calls())
        .extracting(run -> run.schedule().orElseThrow())
        .containsExactlyInAnyOrder("a", "c");
    Schedule bad = carillon.schedules().get("b").orElseThrow();
    assertThat(bad.status()).isEqualTo(ScheduleStatus.PAUSED);
    assertThat(bad.pause().map(Pause::reason).orElseThrow()).startsWith("cannot be planned: ");
  }

  @Test
  void a_handler_that_throws_is_the_failure_of_its_run_alone() {
    RunId bad = carillon.runs().enqueue(RunDraft.of("broken"));
    RunId good = carillon.runs().enqueue(RunDraft.of("bell"));

    carillon.runDue();

    Run failed = carillon.runs().get(bad).orElseThrow();
    assertThat(failed.state()).isEqualTo(RunState.FAILED);
    assertThat(failed.failure().map(Failure::message)).contains("no rope");
    assertThat(carillon.runs().get(good).map(Run::state)).contains(RunState.SUCCEEDED);
  }
}
