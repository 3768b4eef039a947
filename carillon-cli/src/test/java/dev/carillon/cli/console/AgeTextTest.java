package dev.carillon.cli.console;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class AgeTextTest {
  private static final Instant NOW = Instant.parse("2027-03-26T12:00:00Z");

  @ParameterizedTest
  @CsvSource({
    "PT0.4S, now",
    "PT12S, in 12s",
    "-PT12.9S, 12s ago",
    "PT5M, in 5m",
    "-PT5M7S, 5m 7s ago",
    "PT26H3M, in 26h 3m",
    "-P3DT4H, 3d 4h ago",
    "P200D, 2027-10-12",
    "-P200D, 2026-09-07"
  })
  void moments_are_told_by_how_far_they_are(Duration away, String told) {
    assertThat(new AgeText(NOW, false).of(NOW.plus(away))).isEqualTo(told);
  }

  @Test
  void who_asks_for_instants_gets_them() {
    assertThat(new AgeText(NOW, true).of(NOW.plusNanos(1_234_567)))
        .isEqualTo("2027-03-26T12:00:00.001Z");
  }

  @Test
  void lengths_below_a_second_are_told_in_milliseconds() {
    assertThat(AgeText.length(Duration.ofMillis(37))).isEqualTo("37ms");
  }
}
