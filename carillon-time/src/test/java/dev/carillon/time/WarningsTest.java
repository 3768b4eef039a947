package dev.carillon.time;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.ZoneId;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What is accepted with a raised eyebrow. */
class WarningsTest {
  private static Cron cron(String expression) {
    return Cron.parse(expression, ZoneId.of("UTC"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "* * * * *",
        "*/15 9-17 * * MON-FRI",
        "0 0 1 * ?",
        "0 0 ? * MON",
        "0 0 13 * +FRI",
        "0 0 L,15W * *",
        "0 0 0 1 1 * 2030",
        "@daily"
      })
  void an_ordinary_expression_has_no_warnings(String expression) {
    assertThat(cron(expression).warnings()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"0 0 1,15 * MON", "0 0 */2 * MON", "0 0 L * 5L", "0 0 *,1 * MON", "0 0 1 * */1"})
  void either_of_two_day_fields_is_worth_a_warning(String expression) {
    assertThat(cron(expression).warnings()).extracting(Warning::code).contains("DOM_DOW_OR");
  }

  @Test
  void a_start_with_a_step_but_no_end_is_worth_a_warning() {
    assertThat(cron("5/20 * * * *").warnings())
        .singleElement()
        .satisfies(warning -> assertThat(warning.message()).contains("5-59/20"));
  }

  @Test
  void a_step_wider_than_its_range_is_worth_a_warning() {
    assertThat(cron("10-20/30 * * * *").warnings()).hasSize(1);
    assertThat(cron("10-20/10 * * * *").warnings()).isEmpty();
  }
}
