package dev.carillon.time;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Instant;
import org.junit.jupiter.api.Test;

class CronEdgesTest {
  private static final Instant NEW_YEAR = Instant.parse("2027-01-01T00:00:00Z");

  @Test
  void any_number_of_leading_zeros_is_fine() {
    assertThat(Cron.parse("0000000000005 007 * * *").next(NEW_YEAR))
        .contains(Instant.parse("2027-01-01T07:05:00Z"));
  }

  @Test
  void a_day_of_week_with_leading_zeros_is_not_taken_for_a_year() {
    assertThat(Cron.parse("0 0 12 * * 0005").next(NEW_YEAR))
        .contains(Instant.parse("2027-01-01T12:00:00Z"));
  }

  @Test
  void a_backward_range_from_seven_is_sunday_only_in_the_week() {
    assertThatThrownBy(() -> Cron.parse("0 0 7-3 * *")).hasMessageEndingWith("Write 7-31,1-3.");
    assertThatThrownBy(() -> Cron.parse("0 0 * * 7-3")).hasMessageEndingWith("Write 0-3.");
  }

  @Test
  void a_backward_range_with_a_step_is_two_ranges() {
    assertThatThrownBy(() -> Cron.parse("0 22-2/2 * * *"))
        .hasMessageEndingWith("Write two ranges, each with its own step.");
  }

  @Test
  void an_endless_text_is_refused_without_being_read() {
    assertThatThrownBy(() -> Cron.parse(" ".repeat(100_000) + "* * * * *"))
        .isInstanceOf(CronSyntaxException.class)
        .hasMessageStartingWith("the expression is too long");
  }

  @Test
  void blanks_do_not_count_as_length() {
    assertThat(Cron.parse("0 0" + " ".repeat(300) + "* * *").expression()).isEqualTo("0 0 * * *");
  }

  @Test
  void lint_can_look_from_either_end_of_time() {
    Timing daily = Cron.parse("0 0 * * *");

    assertThat(Lint.of(daily, Instant.MIN)).isEmpty();
    assertThat(Lint.of(daily, Instant.MAX))
        .extracting(Warning::code)
        .containsExactly("NEVER_FIRES");
  }
}
