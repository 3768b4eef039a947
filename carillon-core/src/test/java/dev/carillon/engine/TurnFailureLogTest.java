package dev.carillon.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.carillon.event.EngineLoop;
import java.time.Duration;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class TurnFailureLogTest {
  private final AtomicLong nanos = new AtomicLong();
  private final TurnFailureLog turns = new TurnFailureLog(nanos::get);

  private void pass(Duration time) {
    nanos.addAndGet(time.toNanos());
  }

  @Test
  void the_first_failures_are_told_and_then_one_a_minute() {
    for (EngineLoop step :
        new EngineLoop[] {EngineLoop.HEARTBEAT, EngineLoop.PLANNING, EngineLoop.CLAIMING}) {
      assertThat(turns.failed(step)).isEqualTo(OptionalLong.of(0));
    }
    for (int i = 0; i < 10; i++) {
      assertThat(turns.failed(EngineLoop.PLANNING)).isEmpty();
    }
    pass(Duration.ofMinutes(1));

    assertThat(turns.failed(EngineLoop.CLAIMING)).isEqualTo(OptionalLong.of(10));
    assertThat(turns.failed(EngineLoop.CLAIMING)).isEmpty();
  }

  @Test
  void the_end_is_told_once_every_step_works_again() {
    for (int i = 0; i < 20; i++) {
      turns.failed(i % 2 == 0 ? EngineLoop.PLANNING : EngineLoop.CLAIMING);
    }
    pass(Duration.ofSeconds(30));

    assertThat(turns.turned(EngineLoop.HEARTBEAT)).isEmpty();
    assertThat(turns.turned(EngineLoop.PLANNING)).isEmpty();
    assertThat(turns.turned(EngineLoop.CLAIMING))
        .contains(new TurnFailureLog.Over(Duration.ofSeconds(30), 20));
    assertThat(turns.turned(EngineLoop.CLAIMING)).isEmpty();
    assertThat(turns.failed(EngineLoop.PLANNING)).isEqualTo(OptionalLong.of(0));
  }

  @Test
  void an_unexpected_failure_is_logged_once_a_minute_for_each_loop() {
    assertThat(turns.failedUnexpectedly(EngineLoop.PLANNING)).isEqualTo(OptionalLong.of(0));
    assertThat(turns.failedUnexpectedly(EngineLoop.CLAIMING)).isEqualTo(OptionalLong.of(0));
    assertThat(turns.failedUnexpectedly(EngineLoop.PLANNING)).isEmpty();
    turns.turned(EngineLoop.PLANNING);
    assertThat(turns.failedUnexpectedly(EngineLoop.PLANNING)).isEmpty();
    pass(Duration.ofMinutes(1));

    assertThat(turns.failedUnexpectedly(EngineLoop.PLANNING)).isEqualTo(OptionalLong.of(2));
    assertThat(turns.failedUnexpectedly(EngineLoop.CLAIMING)).isEqualTo(OptionalLong.of(0));
  }

  @Test
  void a_single_failure_has_no_end_to_tell() {
    turns.failed(EngineLoop.PLANNING);

    assertThat(turns.turned(EngineLoop.PLANNING)).isEmpty();
  }
}
