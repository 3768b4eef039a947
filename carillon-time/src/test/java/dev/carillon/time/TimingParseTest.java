package dev.carillon.time;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.ZoneId;
import org.junit.jupiter.api.Test;

/** Which timing a text stands for. */
class TimingParseTest {
  private static final ZoneId ROME = ZoneId.of("Europe/Rome");

  @Test
  void anything_but_every_is_cron() {
    assertThat(Timing.parse("@every 90s", ROME)).isEqualTo(Every.of(Duration.ofSeconds(90)));
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
}
