package dev.carillon.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class PlanningBatchTest {
  private static final Duration TOOK = Duration.ofMillis(40);

  private final PlanningBatch planningBatch = new PlanningBatch();

  @Test
  void what_is_urgent_is_planned_in_large_portions_without_a_pause() {
    planningBatch.begin(Duration.ofSeconds(5));
    planningBatch.written(1_000, 1_000);

    assertThat(planningBatch.runs()).isEqualTo(PlanningBatch.MAX_RUNS);
    assertThat(planningBatch.schedules()).isEqualTo(PlanningBatch.MAX_SCHEDULES);
    assertThat(planningBatch.pause(TOOK)).isZero();
  }

  @Test
  void while_there_is_time_portions_are_small_and_half_of_the_time_is_left_to_others() {
    planningBatch.begin(Duration.ofSeconds(30));

    assertThat(planningBatch.runs()).isLessThan(PlanningBatch.MAX_RUNS / 4);
    assertThat(planningBatch.pause(TOOK)).isEqualTo(TOOK);
  }

  @Test
  void pauses_get_shorter_as_time_runs_out() {
    planningBatch.begin(Duration.ofSeconds(20));

    assertThat(planningBatch.pause(TOOK)).isBetween(Duration.ofMillis(1), TOOK.dividedBy(2));
  }

  @Test
  void who_is_late_does_not_pause() {
    planningBatch.begin(Duration.ofMinutes(-10));

    assertThat(planningBatch.pause(TOOK)).isZero();
    assertThat(planningBatch.schedules()).isPositive();
  }

  @Test
  void schedules_that_bring_many_runs_come_in_smaller_numbers() {
    planningBatch.begin(Duration.ZERO);
    planningBatch.written(10, 600);

    assertThat(planningBatch.schedules()).isEqualTo(PlanningBatch.MAX_RUNS / 60);
  }
}
