package dev.carillon.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class RestartLimitTest {
  private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");

  private final RestartLimit limit =
      new RestartLimit(3, Duration.ofMinutes(10), Duration.ofSeconds(1));

  @Test
  void the_first_restart_is_at_once_and_the_pauses_double() {
    assertThat(limit.pause(NOW)).contains(Duration.ZERO);
    assertThat(limit.pause(NOW)).contains(Duration.ofSeconds(1));
    assertThat(limit.pause(NOW)).contains(Duration.ofSeconds(2));
    assertThat(limit.pause(NOW)).isEmpty();
  }

  @Test
  void restarts_of_long_ago_do_not_count() {
    assertThat(limit.pause(NOW)).contains(Duration.ZERO);
    assertThat(limit.pause(NOW.plusSeconds(500))).contains(Duration.ofSeconds(1));
    assertThat(limit.pause(NOW.plusSeconds(601))).contains(Duration.ofSeconds(1));
    assertThat(limit.pause(NOW.plusSeconds(5000))).contains(Duration.ZERO);
  }
}
