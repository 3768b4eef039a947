package dev.carillon.time.business;

import static org.assertj.core.api.Assertions.assertThat;

import dev.carillon.time.Due;
import java.time.Instant;
import java.time.LocalDate;
import java.time.MonthDay;
import java.time.ZoneId;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CalendarRuleTest {
  private static final ZoneId ROME = ZoneId.of("Europe/Rome");
  private static final BusinessCalendar ITALY =
      BusinessCalendar.named("it", ROME)
          .holiday(MonthDay.of(1, 1), "New Year")
          .holiday(MonthDay.of(5, 1), "Labour Day")
          .holiday(MonthDay.of(12, 25), "Christmas Day")
          .holiday(MonthDay.of(12, 26), "St Stephen's Day")
          .holiday(LocalDate.parse("2027-03-29"), "Easter Monday")
          .weekdayHours("09:00-17:00")
          .build();

  @ParameterizedTest
  @CsvSource({
    "2027-03-29T10:00:00Z, FOLLOWING,          2027-03-30T10:00:00Z",
    "2027-03-29T10:00:00Z, PRECEDING,          2027-03-26T11:00:00Z", // winter time
    "2027-03-27T11:00:00Z, NEAREST,            2027-03-26T11:00:00Z",
    "2027-03-28T10:00:00Z, NEAREST,            2027-03-30T10:00:00Z", // two days each: later
    "2027-07-31T08:00:00Z, FOLLOWING,          2027-08-02T08:00:00Z",
    "2027-07-31T08:00:00Z, MODIFIED_FOLLOWING, 2027-07-30T08:00:00Z",
    "2027-08-01T08:00:00Z, MODIFIED_PRECEDING, 2027-08-02T08:00:00Z",
    "2027-08-01T08:00:00Z, PRECEDING,          2027-07-30T08:00:00Z",
    "2027-07-30T08:00:00Z, MODIFIED_FOLLOWING, 2027-07-30T08:00:00Z",
  })
  void a_slot_on_a_day_off_is_due_on_a_business_day_at_the_same_time_of_day(
      Instant slot, Roll roll, Instant due) {
    assertThat(CalendarRule.of(ITALY, roll).due(slot))
        .isInstanceOfSatisfying(Due.At.class, at -> assertThat(at.at()).isEqualTo(due));
  }

  @Test
  void a_skipped_slot_says_why() {
    CalendarRule rule = CalendarRule.of(ITALY, Roll.SKIP);

    assertThat(rule.due(Instant.parse("2027-03-29T10:00:00Z")))
        .isEqualTo(new Due.Dropped(Due.Policy.CALENDAR, "it", "2027-03-29 is Easter Monday"));
    assertThat(rule.due(Instant.parse("2027-03-27T10:00:00Z")))
        .isEqualTo(new Due.Dropped(Due.Policy.CALENDAR, "it", "Saturday is no business day"));
  }

  @Test
  void a_slot_outside_of_working_hours_waits_or_is_skipped() {
    Instant evening = Instant.parse("2027-07-30T17:30:00Z");
    CalendarRule rule = CalendarRule.of(ITALY, Roll.FOLLOWING);
    String because = "19:30 is outside working hours 09:00-17:00";

    assertThat(rule.due(evening)).isEqualTo(Due.at(evening));
    assertThat(rule.withOutsideHours(OutsideHours.SKIP).due(evening))
        .isEqualTo(new Due.Dropped(Due.Policy.CALENDAR, "it", because));
    Instant monday = Instant.parse("2027-08-02T07:00:00Z");
    assertThat(rule.withOutsideHours(OutsideHours.DEFER).due(evening))
        .isEqualTo(
            Due.moved(Due.at(evening), new Due.Move(monday, Due.Policy.CALENDAR, "it", because)));
  }

  @Test
  void business_days_are_added_after_the_roll() {
    Instant saturday = Instant.parse("2027-07-31T08:00:00Z");
    Due due = CalendarRule.of(ITALY, Roll.FOLLOWING).withOffset(2).due(saturday);

    assertThat(due)
        .isEqualTo(
            Due.moved(
                Due.at(saturday),
                new Due.Move(
                    Instant.parse("2027-08-04T08:00:00Z"),
                    Due.Policy.CALENDAR,
                    "it",
                    "Saturday is no business day, and 2 business days later")));
  }
}
