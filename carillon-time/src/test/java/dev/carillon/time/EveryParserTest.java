package dev.carillon.time;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.time.ZoneId;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class EveryParserTest {
  private static final ZoneId UTC = ZoneId.of("UTC");

  @ParameterizedTest
  @CsvSource({
    "@every 90s, PT90S",
    "@every 15m, PT15M",
    "@every 1h30m, PT90M",
    "@every 2d, P2D",
    "@every 1d2h3m4s, P1DT2H3M4S",
    "@every PT90S, PT90S",
    "' \t@every  90s ', PT90S",
  })
  void an_interval_is_read_in_short_or_as_iso_8601(String text, Duration period) {
    assertThat(Timing.parse(text, UTC)).isEqualTo(Every.of(period));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "@every",
        "@every ",
        "@every 0s",
        "@every 5",
        "@every 1.5s",
        "@every -5s",
        "@every 5s3m",
        "@every PT0.5S",
        "@every PT",
        "@every soon",
        "@every 99999d",
        "@every 9999999999s",
        "@every P99999999999999999D",
        "@every 5s now",
        "@every5s"
      })
  void anything_else_is_refused_with_a_caret(String text) {
    assertThatThrownBy(() -> Timing.parse(text, UTC))
        .isInstanceOf(CronSyntaxException.class)
        .hasMessageContaining("^");
  }
}
