package dev.carillon.store.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.carillon.fixture.Gen;
import dev.carillon.fixture.Property;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class BackoffTest {
  @Test
  void the_first_failure_is_followed_by_a_try_at_once() {
    assertThat(new Backoff(Duration.ofSeconds(2), 7).after(1)).isZero();
  }

  @ParameterizedTest
  @CsvSource({
    "2, 25, 50",
    "3, 50, 100",
    "4, 100, 200",
    "6, 400, 800",
    "7, 500, 1000",
    "2000000000, 500, 1000"
  })
  void waits_double_up_to_the_limit(int failures, int least, int most) {
    assertThat(new Backoff(Duration.ofSeconds(1), 7).after(failures))
        .isBetween(Duration.ofMillis(least), Duration.ofMillis(most));
  }

  @Property
  void a_wait_is_never_longer_than_the_limit_nor_shorter_than_half_of_what_it_could_be(Gen any) {
    var most = Duration.ofMillis(any.number(1, 100_000));
    int failures = any.number(2, 1_000);
    Duration wait = new Backoff(most, any.number(0L, 1L << 62)).after(failures);

    assertThat(wait).isLessThanOrEqualTo(most);
    assertThat(wait.multipliedBy(2).plusNanos(2))
        .isGreaterThanOrEqualTo(
            most.compareTo(Duration.ofMillis(50)) < 0 ? most : Duration.ofMillis(50));
  }

  @Property
  void different_seeds_wait_differently_and_equal_ones_alike(Gen any) {
    long seed = any.number(0L, 1L << 62);
    int failures = any.number(2, 100);
    var one = new Backoff(Duration.ofSeconds(1), seed);
    var other = new Backoff(Duration.ofSeconds(1), seed + any.number(1_000L, 1L << 40));

    assertThat(one.after(failures)).isEqualTo(new Backoff(one.most(), seed).after(failures));
    assertThat(one.after(failures)).isNotEqualTo(other.after(failures));
  }

  @Test
  void a_limit_of_nothing_is_refused() {
    assertThatThrownBy(() -> new Backoff(Duration.ZERO, 1))
        .hasMessage("most must be longer than nothing; was PT0S");
  }
}
