package dev.carillon.time;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.time.ZoneId;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Expressions that read well and name no slot at all. */
class NeverTest {
  @ParameterizedTest
  @ValueSource(
      strings = {
        "0 0 30 2 *",
        "0 0 31 2 *",
        "0 0 31 4,6,9,11 *",
        "0 0 L-29 2 *",
        "0 0 L-30 4 *",
        "0 0 30W 2 *",
        "0 0 1-7 * +MON#2",
        "0 0 29 2 +SUN#4",
        "0 0 0 29 2 * 2027",
        "0 0 0 29 2 * 2100",
        "0 0 0 29 2 +MON 2028"
      })
  void a_date_that_does_not_exist_never_comes(String expression) {
    Cron cron = Cron.parse(expression, ZoneId.of("Europe/Berlin"));

    assertThat(cron.next(Instant.MIN)).isEmpty();
    assertThat(cron.previous(Instant.MAX)).isEmpty();
    assertThat(cron.between(Instant.MIN, Instant.MAX).count()).isZero();
    assertThat(cron.between(Instant.MIN, Instant.MAX)).isEmpty();
  }
}
