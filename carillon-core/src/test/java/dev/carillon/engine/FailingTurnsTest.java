package dev.carillon.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class FailingTurnsTest {
  private final AtomicLong nanos = new AtomicLong();
  private final FailingTurns turns = new FailingTurns(nanos::get);

  private void pass(Duration time) {
    nanos.addAndGet(time.toNanos());
  }

  @Test
  void the_first_failures_are_told_and_then_one_a_minute() {
    for (String step : new String[] {"heartbeat", "planning", "claiming"}) {
      assertThat(turns.failed(step)).isEqualTo(OptionalLong.of(0));
    }
    for (int i = 0; i < 10; i++) {
      assertThat(turns.failed("planning")).isEmpty();
    }
    pass(Duration.ofMinutes(1));

    assertThat(turns.failed("claiming")).isEqualTo(OptionalLong.of(10));
    assertThat(turns.failed("claiming")).isEmpty();
  }

  @Test
  void the_end_is_told_once_every_step_works_again() {
    for (int i = 0; i < 20; i++) {
      turns.failed(i % 2 == 0 ? "planning" : "claiming");
    }
    pass(Duration.ofSeconds(30));

    assertThat(turns.turned("heartbeat")).isEmpty();
    assertThat(turns.turned("planning")).isEmpty();
    assertThat(turns.turned("claiming"))
        .contains(new FailingTurns.Over(Duration.ofSeconds(30), 20));
    assertThat(turns.turned("claiming")).isEmpty();
    assertThat(turns.failed("planning")).isEqualTo(OptionalLong.of(0));
  }

  @Test
  void a_single_failure_has_no_end_to_tell() {
    turns.failed("planning");

    assertThat(turns.turned("planning")).isEmpty();
  }
}
