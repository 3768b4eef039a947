package dev.carillon.policy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.carillon.fixture.Gen;
import dev.carillon.fixture.Property;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RetryTest {
  @Test
  void pauses_grow_by_the_factor_up_to_the_longest_and_then_it_gives_up() {
    Retry retry = Retry.times(6).maxBackoff(Duration.ofSeconds(10));

    assertThat(retry.delayAfter(1)).contains(Duration.ofSeconds(2));
    assertThat(retry.delayAfter(2)).contains(Duration.ofSeconds(4));
    assertThat(retry.delayAfter(3)).contains(Duration.ofSeconds(8));
    assertThat(retry.delayAfter(4)).contains(Duration.ofSeconds(10));
    assertThat(retry.delayAfter(5)).contains(Duration.ofSeconds(10));
    assertThat(retry.delayAfter(6)).isEmpty();
    assertThat(retry.delayAfter(7)).isEmpty();
  }

  @Test
  void one_try_is_never_followed_by_another() {
    assertThat(Retry.NONE.delayAfter(1)).isEmpty();
  }

  @Test
  void a_factor_of_one_keeps_the_pause_as_it_is() {
    Retry retry = Retry.times(5).backoff(Duration.ofMillis(1_500)).factor(1);

    assertThat(retry.delayAfter(4)).contains(Duration.ofMillis(1_500));
  }

  @Test
  void a_backoff_above_the_longest_raises_the_longest() {
    assertThat(Retry.times(2).backoff(Duration.ofHours(1)).maxBackoff())
        .isEqualTo(Duration.ofHours(1));
    assertThat(Retry.times(2).backoff(Duration.ofSeconds(1)).maxBackoff())
        .isEqualTo(Duration.ofMinutes(5));
  }

  @Property
  void a_pause_is_never_shorter_than_the_one_before_nor_longer_than_the_longest(Gen any) {
    Duration backoff = Duration.ofMillis(any.number(0L, Duration.ofDays(30).toMillis()));
    Retry retry =
        Retry.times(any.number(2, 1_000)).backoff(backoff).factor(any.number(100, 10_000) / 100.0);

    Duration before = backoff;
    for (int attempt = 1; attempt < retry.attempts(); attempt++) {
      Duration delay = retry.delayAfter(attempt).orElseThrow();
      assertThat(delay).isBetween(before, retry.maxBackoff());
      before = delay;
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {0, -1, 1_001})
  void attempts_out_of_bounds_are_refused(int attempts) {
    assertThatThrownBy(() -> Retry.times(attempts))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("attempts must be from 1 to 1000, the first included; was " + attempts);
  }

  @ParameterizedTest
  @ValueSource(strings = {"PT-0.001S", "PT720H0.001S"})
  void a_backoff_out_of_bounds_is_refused(Duration backoff) {
    assertThatThrownBy(() -> Retry.NONE.backoff(backoff))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("backoff must be from 0 to 30d; was " + backoff);
  }

  @ParameterizedTest
  @ValueSource(doubles = {0.99, 100.01, -2, Double.NaN, Double.POSITIVE_INFINITY})
  void a_factor_out_of_bounds_is_refused(double factor) {
    assertThatThrownBy(() -> Retry.NONE.factor(factor))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("factor must be from 1 to 100; was " + factor);
  }

  @ParameterizedTest
  @ValueSource(strings = {"PT1.999S", "PT720H0.001S"})
  void a_longest_pause_below_the_backoff_or_above_the_bound_is_refused(Duration maxBackoff) {
    assertThatThrownBy(() -> Retry.NONE.maxBackoff(maxBackoff))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("max backoff must be from the backoff PT2S to 30d; was " + maxBackoff);
  }
}
