package dev.carillon.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.carillon.event.EngineLoop;
import dev.carillon.store.jdbc.OutageCause;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class TurnFailureLogTest {
  private final AtomicLong nanos = new AtomicLong();
  private final TurnFailureLog turns = new TurnFailureLog(nanos::get);

  private void pass(Duration time) {
    nanos.addAndGet(time.toNanos());
  }

  private OptionalLong failed(EngineLoop loop) {
    return turns.failed(loop, Optional.of(OutageCause.READ_ONLY));
  }

  @Test
  void each_cause_is_told_once_a_minute_for_all_loops() {
    assertThat(failed(EngineLoop.HEARTBEAT)).isEqualTo(OptionalLong.of(0));
    for (int i = 0; i < 10; i++) {
      assertThat(failed(EngineLoop.PLANNING)).isEmpty();
    }
    assertThat(turns.failed(EngineLoop.PLANNING, Optional.of(OutageCause.NO_SPACE)))
        .isEqualTo(OptionalLong.of(0));
    assertThat(turns.failed(EngineLoop.PLANNING, Optional.empty())).isEqualTo(OptionalLong.of(0));
    pass(Duration.ofMinutes(1));

    assertThat(failed(EngineLoop.CLAIMING)).isEqualTo(OptionalLong.of(10));
    assertThat(failed(EngineLoop.CLAIMING)).isEmpty();
  }

  @Test
  void a_loop_that_fails_every_other_time_is_told_of_no_more_often() {
    int lines = 0;
    for (int i = 0; i < 100; i++) {
      lines += failed(EngineLoop.CLAIMING).isPresent() ? 1 : 0;
      lines += failed(EngineLoop.CLAIMING).isPresent() ? 1 : 0;
      lines += turns.turned(EngineLoop.CLAIMING).isPresent() ? 1 : 0;
      pass(Duration.ofMillis(500));
    }

    assertThat(lines).isEqualTo(2);
  }

  @Test
  void the_end_is_told_once_every_step_works_again() {
    for (int i = 0; i < 20; i++) {
      failed(i % 2 == 0 ? EngineLoop.PLANNING : EngineLoop.CLAIMING);
    }
    pass(Duration.ofSeconds(30));

    assertThat(turns.turned(EngineLoop.HEARTBEAT)).isEmpty();
    assertThat(turns.turned(EngineLoop.PLANNING)).isEmpty();
    assertThat(turns.turned(EngineLoop.CLAIMING))
        .contains(new TurnFailureLog.Over(Duration.ofSeconds(30), 20));
    assertThat(turns.turned(EngineLoop.CLAIMING)).isEmpty();
    assertThat(failed(EngineLoop.PLANNING)).isEmpty();
    pass(Duration.ofSeconds(30));
    assertThat(failed(EngineLoop.PLANNING)).isEqualTo(OptionalLong.of(20));
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
    failed(EngineLoop.PLANNING);

    assertThat(turns.turned(EngineLoop.PLANNING)).isEmpty();
  }
}
