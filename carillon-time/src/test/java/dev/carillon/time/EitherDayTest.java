package dev.carillon.time;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.ZoneId;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** When two day fields are an either-or, which surprises people, and when they are not. */
class EitherDayTest {
  private static Cron cron(String expression) {
    return Cron.parse(expression, ZoneId.of("UTC"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "0 0 1,15 * MON",
        "0 0 */2 * MON",
        "0 0 L * 5L",
        "0 0 *,1 * MON",
        "0 0 */1 * MON",
        "0 0 1 * */1",
        "0 0 1 * *,MON",
        "0 0 1 * 0-6"
      })
  void two_restricted_fields_are_an_either_or_with_a_warning(String expression) {
    assertThat(cron(expression).warnings()).extracting(Warning::code).contains("DOM_DOW_OR");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "0 0 1 * ?",
        "0 0 ? * MON",
        "0 0 1 * *",
        "0 0 * * MON",
        "0 0 13 * +FRI",
        "0 0 13 * +*",
        "0 0 13 * +?",
        "0 0 ? * ?"
      })
  void other_pairs_are_not(String expression) {
    assertThat(cron(expression).warnings()).extracting(Warning::code).doesNotContain("DOM_DOW_OR");
  }
}
