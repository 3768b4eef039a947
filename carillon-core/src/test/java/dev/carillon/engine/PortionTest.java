package dev.carillon.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class PortionTest {
  private static final Duration TOOK = Duration.ofMillis(40);

  private final Portion portion = new Portion();

  @Test
  void what_is_urgent_is_planned_in_large_portions_without_a_pause() {
    portion.begin(Duration.ofSeconds(5));
    portion.written(1_000, 1_000);

    assertThat(portion.runs()).isEqualTo(Portion.MOST_RUNS);
    assertThat(portion.schedules()).isEqualTo(Portion.MOST_SCHEDULES);
    assertThat(portion.pause(TOOK)).isZero();
  }

  @Test
  void while_there_is_time_portions_are_small_and_half_of_the_time_is_left_to_others() {
    portion.begin(Duration.ofSeconds(30));

    assertThat(portion.runs()).isLessThan(Portion.MOST_RUNS / 4);
    assertThat(portion.pause(TOOK)).isEqualTo(TOOK);
  }

  @Test
  void pauses_get_shorter_as_time_runs_out() {
    portion.begin(Duration.ofSeconds(20));

    assertThat(portion.pause(TOOK)).isBetween(Duration.ofMillis(1), TOOK.dividedBy(2));
  }

  @Test
  void who_is_late_does_not_pause() {
    portion.begin(Duration.ofMinutes(-10));

    assertThat(portion.pause(TOOK)).isZero();
    assertThat(portion.schedules()).isPositive();
  }

  @Test
  void schedules_that_bring_many_runs_come_in_smaller_numbers() {
    portion.begin(Duration.ZERO);
    portion.written(10, 600);

    assertThat(portion.schedules()).isEqualTo(Portion.MOST_RUNS / 60);
  }
}
