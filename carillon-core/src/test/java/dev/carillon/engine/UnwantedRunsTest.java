package dev.carillon.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.carillon.ScheduleDraft;
import dev.carillon.fixture.Belfry;
import dev.carillon.fixture.EmbeddedPostgres;
import dev.carillon.model.Run;
import dev.carillon.model.RunState;
import dev.carillon.policy.Overlap;
import dev.carillon.testing.ManualCarillon;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Due runs of a target that nobody works for any more, and what comes after them in their lane. */
@ExtendWith(EmbeddedPostgres.class)
class UnwantedRunsTest {
  private static final Duration HALF_A_MINUTE = Duration.ofSeconds(30);

  private final Belfry belfry;
  private final ManualCarillon node;

  UnwantedRunsTest(DataSource postgres) {
    belfry = new Belfry(postgres);
    node = belfry.node(builder -> builder.remoteTarget("gone").target("bell", context -> {}));
  }

  @AfterEach
  void close() {
    belfry.close();
  }

  private RunState at(String time) {
    return node.runs().ofSchedule("moved").stream()
        .filter(run -> run.slot().equals(Instant.parse("2026-03-01T" + time + "Z")))
        .map(Run::state)
        .findFirst()
        .orElseThrow();
  }

  private void move(Overlap overlap) {
    node.schedules()
        .create(ScheduleDraft.named("moved").target("gone").every(HALF_A_MINUTE).overlap(overlap));
    belfry.pass(HALF_A_MINUTE, node);
    node.schedules().patch("moved", draft -> draft.target("bell"));
  }

  @Test
  void a_run_of_another_target_has_a_minute_to_be_taken_in_its_turn() {
    move(Overlap.SKIP);
    belfry.pass(HALF_A_MINUTE, node);

    assertThat(List.of(at("00:00:30"), at("00:01:00")))
        .containsExactly(RunState.PENDING, RunState.PENDING);
  }

  @Test
  void what_nobody_takes_is_not_in_the_way_for_longer() {
    move(Overlap.SKIP);
    belfry.pass(HALF_A_MINUTE.multipliedBy(3), node);

    assertThat(at("00:00:30")).isEqualTo(RunState.PENDING);
    assertThat(at("00:01:00")).isEqualTo(RunState.SUCCEEDED);
    assertThat(at("00:02:00")).isEqualTo(RunState.SUCCEEDED);
  }

  @Test
  void a_queue_goes_on_in_its_order_behind_what_nobody_takes() {
    move(Overlap.QUEUE);
    belfry.pass(HALF_A_MINUTE.multipliedBy(3), node);

    assertThat(List.of(at("00:00:30"), at("00:01:00"), at("00:01:30"), at("00:02:00")))
        .containsExactly(
            RunState.PENDING, RunState.SUCCEEDED, RunState.SUCCEEDED, RunState.SUCCEEDED);
  }
}
