package dev.carillon.time;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.carillon.fixture.Property;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class DurationTextTest {
  @ParameterizedTest
  @CsvSource({
    "5m, PT5M",
    "90d, P90D",
    "2w, P14D",
    "1h30m, PT1H30M",
    "1d2h3m4s5ms, PT26H3M4.005S",
    "500ms, PT0.5S",
    "0s, PT0S",
    "' 30s ', PT30S",
    "PT5M, PT5M",
    "pt5m, PT5M",
    "P1D, PT24H",
    "P2W, P14D",
    "PT0.5S, PT0.5S",
    "-PT5M, PT-5M",
  })
  void a_length_is_read_in_short_or_as_iso_8601(String text, Duration length) {
    assertThat(DurationText.parse(text)).isEqualTo(length);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        " ",
        "5",
        "m",
        "5 m",
        "5M",
        "1.5h",
        "-5m",
        "5s3m",
        "soon",
        "P1M",
        "P1Y",
        "PT",
        "1h 30m",
        "99999999999999999999s",
        "P99999999999999999D"
      })
  void anything_else_is_refused_with_how_to_write_it(String text) {
    assertThatThrownBy(() -> DurationText.parse(text))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "'%s' is no duration; write it as 30s, 15m, 1h30m, 3d or PT15M"
                .formatted(text.strip()));
  }

  @Test
  void a_long_text_is_not_repeated_as_a_whole() {
    assertThatThrownBy(() -> DurationText.parse("9".repeat(5_000)))
        .hasMessageStartingWith("'9999")
        .hasMessageContaining("9…' is no duration");
  }

  @ParameterizedTest
  @CsvSource({
    "PT0S, 0s",
    "PT90S, 1m30s",
    "P1DT12H, 1d12h",
    "PT0.25S, 250ms",
    "P90D, 90d",
    "PT-5M, PT-5M",
    "PT0.0000001S, PT0.0000001S"
  })
  void a_length_is_written_in_short_if_that_is_exact(Duration length, String text) {
    assertThat(DurationText.of(length)).isEqualTo(text);
  }

  @Property
  void what_is_written_is_read_as_the_same(TimeGen any) {
    Duration length = any.upTo(Duration.ofDays(4_000));

    assertThat(DurationText.parse(DurationText.of(length))).isEqualTo(length);
  }
}
