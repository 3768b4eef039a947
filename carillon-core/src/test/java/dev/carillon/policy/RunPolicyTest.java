package dev.carillon.policy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RunPolicyTest {
  @ParameterizedTest
  @ValueSource(strings = {"PT0S", "PT-1S", "PT0.000999S", "PT8760H0.001S"})
  void a_timeout_out_of_bounds_is_refused(Duration timeout) {
    assertThatThrownBy(() -> policy(Optional.of(timeout), 0))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("timeout must be from 1 ms to 365d; was " + timeout);
  }

  @ParameterizedTest
  @ValueSource(strings = {"PT0.001S", "PT8760H"})
  void a_timeout_within_bounds_is_accepted(Duration timeout) {
    assertThat(policy(Optional.of(timeout), 1).timeout()).contains(timeout);
  }

  @Test
  void a_negative_count_of_failures_is_refused() {
    assertThatThrownBy(() -> policy(Optional.empty(), -1))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("failures before a pause must be at least 1, or 0 for never; was -1");
  }

  private static RunPolicy policy(Optional<Duration> timeout, int pauseAfterFailures) {
    return new RunPolicy(Retry.NONE, Recovery.RESUBMIT, timeout, pauseAfterFailures);
  }
}
