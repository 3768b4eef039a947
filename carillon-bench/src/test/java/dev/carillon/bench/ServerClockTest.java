package dev.carillon.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class ServerClockTest {
  private static final Instant NOON = Instant.parse("2027-01-01T12:00:00Z");

  @Test
  void a_clock_that_runs_faster_than_ours_is_followed() {
    var clock =
        new ServerClock(
            new ServerClock.Reading(0, NOON, Duration.ZERO),
            new ServerClock.Reading(1_000_000_000, NOON.plusMillis(1_010), Duration.ZERO));

    assertThat(clock.at(500_000_000)).isEqualTo(NOON.plusMillis(505));
  }

  @Test
  void the_worse_reading_decides_how_far_off_it_may_be() {
    var clock =
        new ServerClock(
            new ServerClock.Reading(0, NOON, Duration.ofMillis(1)),
            new ServerClock.Reading(1, NOON, Duration.ofMillis(6)));

    assertThat(clock.uncertainty()).isEqualTo(Duration.ofMillis(7));
  }
}
