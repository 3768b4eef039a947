package dev.carillon.time;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.time.Duration;
import java.time.ZoneId;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Which timing a text stands for. */
class TimingParseTest {
  private static final ZoneId ROME = ZoneId.of("Europe/Rome");

  @Test
  void every_is_an_interval_from_the_epoch() {
    assertThat(Timing.parse("@every 90s", ROME)).isEqualTo(Every.of(Duration.ofSeconds(90)));
    assertThat(Timing.parse("  @every\t 90s ", ROME)).isEqualTo(Every.of(Duration.ofSeconds(90)));
  }

  @Test
  void anything_else_is_cron() {
    assertThat(Timing.parse("@daily", ROME)).isEqualTo(Cron.parse("@daily", ROME));
    assertThat(Timing.parse("0 0 * * *", ROME)).isEqualTo(Cron.parse("0 0 * * *", ROME));
  }

  @Test
  void a_macro_is_kept_as_written_and_shown_resolved() {
    Cron cron = Cron.parse("@weekly", ROME);

    assertThat(cron.expression()).isEqualTo("@weekly");
    assertThat(cron.resolved()).isEqualTo("0 0 * * 0");
  }

  @Test
  void blanks_are_put_in_order() {
    assertThat(Cron.parse(" 0\t0 *  * \t MON ", ROME).expression()).isEqualTo("0 0 * * MON");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "@every",
        "@every ",
        "@every 0s",
        "@every 0",
        "@every 90",
        "@every -5s",
        "@every 1.5s",
        "@every PT0.5S",
        "@every -PT5S",
        "@every PT-5S",
        "@every s",
        "@every 90x",
        "@every 99999999999999999999s",
        "@every 90s 90s",
        "@EVERY 90s",
        "@every90s"
      })
  void an_interval_that_is_none_is_refused(String text) {
    assertThatExceptionOfType(CronSyntaxException.class).isThrownBy(() -> Timing.parse(text, ROME));
  }
}
