package dev.carillon.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Arrays;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RunStateTest {
  @ParameterizedTest(name = "{0} can become {1}")
  @CsvSource({
    "PENDING, RUNNING CANCELED SKIPPED",
    "RUNNING, PENDING SUCCEEDED FAILED CANCELED",
    "SUCCEEDED, ''",
    "FAILED, PENDING",
    "CANCELED, PENDING",
    "SKIPPED, PENDING"
  })
  void a_run_goes_from_state_to_state_as_the_table_says(RunState state, String next) {
    assertThat(
            Arrays.stream(RunState.values())
                .filter(state::canBecome)
                .map(RunState::name)
                .collect(Collectors.joining(" ")))
        .isEqualTo(next);
  }

  @Test
  void a_step_that_is_allowed_is_taken() {
    assertThat(RunState.PENDING.become(RunState.RUNNING)).isEqualTo(RunState.RUNNING);
  }

  @Test
  void a_step_that_is_not_allowed_is_refused_with_those_that_are() {
    assertThatThrownBy(() -> RunState.FAILED.become(RunState.RUNNING))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("a FAILED run cannot become RUNNING; it can become [PENDING]");
  }

  @Test
  void a_run_is_over_unless_it_is_pending_or_running() {
    assertThat(Arrays.stream(RunState.values()).filter(state -> !state.isFinal()))
        .containsExactly(RunState.PENDING, RunState.RUNNING);
  }
}
