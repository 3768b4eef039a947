package dev.carillon.time;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class LintTest {
  private static final ZoneId ROME = ZoneId.of("Europe/Rome");
  private static final Instant AUTUMN = Instant.parse("2026-11-15T00:00:00Z");

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          0 0 1 * MON      | DOM_DOW_OR      | day of month and day of week are both given, so either is enough; put + before the day of week to require both
          5/15 * * * *     | STEP_FROM_VALUE | 5/15 means 5-59/15
          10-20/15 * * * * | STEP_TOO_WIDE   | 10-20/15 matches only 10: no second step fits
          */7 * * * *      | UNEVEN_STEP     | */7 starts anew each hour: after 56 comes 0, 4 later and not 7; for an even beat use @every
          0 */5 * * *      | UNEVEN_STEP     | */5 starts anew each day: after 20 comes 0, 4 later and not 5; for an even beat use @every
          0 0 */2 * *      | UNEVEN_STEP     | */2 starts anew each month: after 31 comes 1, 1 later and not 2; for an even beat use @every
          * 14 * * *       | FIRES_OFTEN     | * in the minute field makes this fire 60 times on each day it matches; write 0 there to fire once
          * * 1 * *        | FIRES_OFTEN     | * in the minute field makes this fire 1,440 times on each day it matches; write 0 there to fire once
          * */5 * * * *    | FIRES_OFTEN     | * in the second field makes this fire 17,280 times on each day it matches; write 0 there to fire once
          """)
  void an_odd_expression_is_accepted_with_a_warning(String text, String code, String message) {
    assertThat(Cron.parse(text, ROME).warnings()).containsExactly(new Warning(code, message));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "*/15 * * * *",
        "* * * * *",
        "* * * * * *",
        "* 9-17 * * 1-5",
        "0 12 * * *",
        "0 0 1 * ?",
        "0 0 13 * +5",
        "0 9-17/2 * * *",
        "30 4 L * *",
        "H/15 * * * *"
      })
  void a_plain_expression_has_no_warnings(String text) {
    assertThat(Lint.of(Cron.parse(text, ROME, "job"), AUTUMN)).isEmpty();
  }

  @Test
  void a_slot_that_the_clocks_skip_is_announced() {
    assertThat(Lint.of(Cron.parse("30 2 * * *", ROME), AUTUMN))
        .contains(
            new Warning(
                "DST_GAP",
                "02:30 does not exist on 2027-03-28 in Europe/Rome:"
                    + " fires at 03:00 instead; 1 more in two years"));
  }

  @Test
  void a_skipped_slot_that_is_not_made_up_for_is_announced_as_such() {
    var timing = Cron.parse("30 2 * 3 *", ROME).withGap(DstGap.SKIP);

    assertThat(Lint.of(timing, AUTUMN))
        .containsExactly(
            new Warning(
                "DST_GAP",
                "02:30 does not exist on 2027-03-28 in Europe/Rome:"
                    + " does not fire; 1 more in two years"));
  }

  @Test
  void a_slot_that_the_clocks_repeat_is_announced() {
    var timing = Cron.parse("30 2 * 10 *", ROME);

    assertThat(Lint.of(timing, Instant.parse("2027-01-01T00:00:00Z")))
        .containsExactly(
            new Warning(
                "DST_OVERLAP",
                "02:30 occurs twice on 2027-10-31 in Europe/Rome:"
                    + " fires the first time only; 1 more in two years"));
    assertThat(Lint.of(timing.withOverlap(DstOverlap.BOTH), AUTUMN).get(0).message())
        .contains("fires both times");
  }

  @Test
  void clock_changes_beyond_two_years_are_not_worth_a_word() {
    assertThat(Lint.of(Cron.parse("0 30 2 * 3 * 2035", ROME), AUTUMN)).isEmpty();
  }

  @Test
  void a_timing_without_a_future_is_announced() {
    assertThat(Lint.of(Cron.parse("0 0 30 2 *", ROME), AUTUMN))
        .extracting(Warning::code)
        .containsExactly("NEVER_FIRES");
    assertThat(Lint.of(new Once(AUTUMN), AUTUMN))
        .containsExactly(new Warning("NEVER_FIRES", "its time has passed"));
    assertThat(Lint.of(Every.of(Duration.ofHours(1)), AUTUMN)).isEqualTo(List.of());
  }

  @Test
  void a_former_zone_is_accepted_and_named_as_it_is_called_today() {
    assertThat(Lint.of(Cron.parse("0 12 * * *", ZoneId.of("US/Eastern")), AUTUMN))
        .containsExactly(
            new Warning("FORMER_ZONE", "zone US/Eastern is a former name of America/New_York"));
  }
}
