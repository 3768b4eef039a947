package dev.carillon.time.business;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.DayOfWeek;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalTime;
import java.time.MonthDay;
import java.time.ZoneId;
import java.util.List;
import org.junit.jupiter.api.Test;

class BusinessCalendarTest {
  private static final ZoneId ROME = ZoneId.of("Europe/Rome");
  private static final LocalDate EASTER_MONDAY = LocalDate.parse("2027-03-29");

  private static BusinessCalendarBuilder italy() {
    return BusinessCalendar.named("it", ROME)
        .holiday(EASTER_MONDAY, "Easter Monday")
        .holiday(MonthDay.of(12, 25), "Christmas Day");
  }

  @Test
  void a_day_says_what_it_is_and_why() {
    BusinessCalendar calendar =
        italy()
            .extraWorkingDay(LocalDate.parse("2027-04-10"), "stocktaking")
            .halfDay(LocalDate.parse("2027-12-24"), "Christmas Eve", LocalTime.NOON)
            .build();

    assertThat(calendar.day(EASTER_MONDAY))
        .isEqualTo(new Day(EASTER_MONDAY, Day.Kind.HOLIDAY, "Easter Monday", "it"));
    assertThat(calendar.day(EASTER_MONDAY).because()).isEqualTo("2027-03-29 is Easter Monday");
    assertThat(because(calendar, "2030-12-25")).isEqualTo("2030-12-25 is Christmas Day");
    assertThat(because(calendar, "2027-04-11")).isEqualTo("Sunday is no business day");
    assertThat(because(calendar, "2027-04-12")).isEqualTo("Monday 2027-04-12 is a business day");
    assertThat(because(calendar, "2027-12-24"))
        .isEqualTo("2027-12-24 is a half day (Christmas Eve)");
    assertThat(because(calendar, "2027-04-10"))
        .isEqualTo("2027-04-10 is an extra working day (stocktaking)");
    assertThat(because(calendar, "2200-01-01")).isEqualTo("2200-01-01 is not in the calendar");
    assertThat(calendar.isBusinessDay(LocalDate.parse("2027-04-10"))).isTrue();
    assertThat(calendar.isBusinessDay(LocalDate.parse("2200-01-01"))).isFalse();
  }

  private static String because(BusinessCalendar calendar, String date) {
    return calendar.day(LocalDate.parse(date)).because();
  }

  @Test
  void a_holiday_without_a_name_is_a_holiday() {
    BusinessCalendar calendar = italy().holiday(LocalDate.parse("2027-06-02"), "").build();

    assertThat(because(calendar, "2027-06-02")).isEqualTo("2027-06-02 is a holiday");
  }

  @Test
  void the_weekend_may_be_friday_and_saturday() {
    BusinessCalendar calendar =
        BusinessCalendar.named("sa", ZoneId.of("Asia/Riyadh"))
            .weekend(DayOfWeek.FRIDAY, DayOfWeek.SATURDAY)
            .build();
    LocalDate thursday = LocalDate.parse("2027-04-01");

    assertThat(calendar.nextBusinessDay(thursday)).contains(LocalDate.parse("2027-04-04"));
    assertThat(calendar.previousBusinessDay(LocalDate.parse("2027-04-04"))).contains(thursday);
    assertThat(calendar.roll(LocalDate.parse("2027-04-02"), Roll.NEAREST)).contains(thursday);
    assertThat(calendar.roll(LocalDate.parse("2027-04-03"), Roll.NEAREST))
        .contains(LocalDate.parse("2027-04-04"));
    assertThat(calendar.plusBusinessDays(thursday, 5)).contains(LocalDate.parse("2027-04-08"));
  }

  @Test
  void a_holiday_on_29_february_is_one_in_leap_years() {
    BusinessCalendar calendar =
        BusinessCalendar.named("leap", ROME)
            .weekend()
            .holiday(MonthDay.of(2, 29), "Leap Day")
            .build();

    assertThat(calendar.isBusinessDay(LocalDate.parse("2028-02-29"))).isFalse();
    assertThat(calendar.isBusinessDay(LocalDate.parse("2027-02-28"))).isTrue();
    assertThat(calendar.isBusinessDay(LocalDate.parse("2027-03-01"))).isTrue();
  }

  @Test
  void a_date_that_the_zone_skipped_is_no_business_day() {
    BusinessCalendar samoa = BusinessCalendar.named("ws", ZoneId.of("Pacific/Apia")).build();
    LocalDate skipped = LocalDate.parse("2011-12-30"); // a Friday

    assertThat(samoa.isBusinessDay(skipped)).isFalse();
    assertThat(because(samoa, "2011-12-30")).isEqualTo("2011-12-30 is not in the calendar");
    assertThat(samoa.workingTime(skipped)).isEmpty();
    assertThat(samoa.nextBusinessDay(LocalDate.parse("2011-12-29")))
        .contains(LocalDate.parse("2012-01-02"));
  }

  @Test
  void combined_calendars_work_when_all_of_them_do_and_say_who_does_not() {
    BusinessCalendar italy = italy().weekdayHours("09:00-17:00").build();
    BusinessCalendar germany =
        BusinessCalendar.named("de", ZoneId.of("Europe/Berlin"))
            .holiday(LocalDate.parse("2027-05-06"), "Ascension Day")
            .extraWorkingDay(EASTER_MONDAY, "an exception")
            .coverageUntil(LocalDate.parse("2028-12-31"))
            .build();
    BusinessCalendar both = BusinessCalendar.combined("it+de", List.of(italy, germany));

    assertThat(both.isBusinessDay(EASTER_MONDAY)).isFalse();
    assertThat(both.day(EASTER_MONDAY).calendar()).isEqualTo("it");
    assertThat(both.day(LocalDate.parse("2027-05-06")))
        .isEqualTo(new Day(LocalDate.parse("2027-05-06"), Day.Kind.HOLIDAY, "Ascension Day", "de"));
    assertThat(both.day(LocalDate.parse("2027-05-07")).isBusiness()).isTrue();
    assertThat(both.hoursOn(LocalDate.parse("2027-05-07")))
        .containsExactly(HourSpan.parse("09:00-17:00"));
    assertThat(both.coverageUntil()).contains(LocalDate.parse("2028-12-31"));
    assertThat(both.isCovered(LocalDate.parse("2029-01-01"))).isFalse();
    assertThat(CalendarRule.of(both, Roll.SKIP).due(Instant.parse("2027-05-06T08:00:00Z")))
        .hasFieldOrPropertyWithValue("because", "2027-05-06 is Ascension Day (de)");
    assertThat(both).isNotEqualTo(BusinessCalendar.combined("it+de", List.of(germany, italy)));
  }

  @Test
  void working_time_follows_the_clocks() {
    BusinessCalendar night =
        BusinessCalendar.named("night", ROME)
            .weekend()
            .hours(DayOfWeek.SATURDAY, "22:00-06:00")
            .hours(
                List.of(
                    DayOfWeek.SUNDAY,
                    DayOfWeek.MONDAY,
                    DayOfWeek.TUESDAY,
                    DayOfWeek.WEDNESDAY,
                    DayOfWeek.THURSDAY,
                    DayOfWeek.FRIDAY),
                List.of(HourSpan.of("22:00", "06:00")))
            .build();

    assertThat(night.workingTime(LocalDate.parse("2027-03-27")).get(0).length())
        .isEqualTo(Duration.ofHours(7));
    assertThat(night.workingTime(LocalDate.parse("2027-10-30")).get(0).length())
        .isEqualTo(Duration.ofHours(9));
    assertThat(night.workingDay(Instant.parse("2027-04-10T02:00:00Z")))
        .contains(LocalDate.parse("2027-04-09"));
  }

  @Test
  void the_night_shift_of_friday_goes_on_into_saturday() {
    BusinessCalendar calendar =
        BusinessCalendar.named("plant", ROME).weekdayHours("22:00-06:00").build();
    Instant saturday = Instant.parse("2027-04-10T00:00:00Z"); // 02:00

    assertThat(calendar.isBusinessDay(LocalDate.parse("2027-04-10"))).isFalse();
    assertThat(calendar.isWorkingTime(saturday)).isTrue();
    assertThat(calendar.isWorkingTime(saturday.plus(Duration.ofDays(1)))).isFalse();
    CalendarRule rule =
        CalendarRule.of(calendar, Roll.FOLLOWING).withOutsideHours(OutsideHours.DEFER);
    assertThat(rule.due(saturday)).isEqualTo(dev.carillon.time.Due.at(saturday));
  }

  @Test
  void an_extra_working_day_has_the_hours_of_the_weekday_before() {
    LocalDate saturday = LocalDate.parse("2027-04-10");
    BusinessCalendar calendar =
        italy()
            .weekdayHours("09:00-17:00")
            .hours(DayOfWeek.FRIDAY, "09:00-14:00")
            .extraWorkingDay(saturday, "stocktaking")
            .extraWorkingDay(
                saturday.plusDays(1),
                SpecialDay.working("stocktaking", List.of(HourSpan.of("10:00", "12:00"))))
            .build();

    assertThat(calendar.hoursOn(saturday)).containsExactly(HourSpan.parse("09:00-14:00"));
    assertThat(calendar.hoursOn(saturday.plusDays(1)))
        .containsExactly(HourSpan.parse("10:00-12:00"));
    assertThat(calendar.hoursOn(saturday.plusDays(7))).isEmpty();
  }

  @Test
  void a_half_day_ends_early() {
    LocalDate eve = LocalDate.parse("2027-12-24");
    BusinessCalendar calendar =
        italy()
            .weekdayHours("09:00-12:00", "13:00-17:00")
            .halfDay(eve, "Christmas Eve", LocalTime.of(14, 0))
            .build();

    assertThat(calendar.hoursOn(eve))
        .containsExactly(HourSpan.parse("09:00-12:00"), HourSpan.parse("13:00-14:00"));
    assertThat(calendar.isWorkingTime(Instant.parse("2027-12-24T12:59:59Z"))).isTrue();
    assertThat(calendar.isWorkingTime(Instant.parse("2027-12-24T13:00:00Z"))).isFalse();
  }

  @Test
  void without_hours_a_business_day_lasts_from_midnight_to_midnight() {
    BusinessCalendar calendar = italy().build();
    LocalDate friday = LocalDate.parse("2027-04-09");

    assertThat(calendar.hasHours()).isFalse();
    assertThat(calendar.workingTime(friday))
        .containsExactly(
            new TimeRange(
                Instant.parse("2027-04-08T22:00:00Z"), Instant.parse("2027-04-09T22:00:00Z")));
    assertThat(calendar.nextWorkingTime(Instant.parse("2027-04-10T10:00:00Z")))
        .contains(Instant.parse("2027-04-11T22:00:00Z"));
  }
}
