package dev.carillon.time.business;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.carillon.time.InvalidValueException;
import java.time.DayOfWeek;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalTime;
import java.time.MonthDay;
import java.time.ZoneId;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

class CalendarRefusalTest {
  private static final ZoneId ROME = ZoneId.of("Europe/Rome");
  private static final LocalDate MONDAY = LocalDate.parse("2027-04-12");
  private static final Instant NOON = Instant.parse("2027-04-12T10:00:00Z");

  private static BusinessCalendarBuilder calendar() {
    return BusinessCalendar.named("it", ROME);
  }

  private static void refused(ThrowingCallable code, String field, String message) {
    assertThatThrownBy(code)
        .isInstanceOfSatisfying(
            InvalidValueException.class, e -> assertThat(e.field()).contains(field))
        .hasMessage(message);
  }

  @Test
  void a_week_without_work_is_refused() {
    refused(
        () -> calendar().weekend(DayOfWeek.values()).build(),
        "weekend",
        "all seven days are weekend; leave out those that are worked on");
  }

  @Test
  void a_year_without_business_days_is_refused() {
    var builder = calendar().weekend(EnumSet.complementOf(EnumSet.of(DayOfWeek.MONDAY)));
    for (int week = 0; week < 53; week++) {
      builder.holiday(MONDAY.plusWeeks(week), "closed");
    }
    refused(
        builder::build,
        "holidays",
        "calendar 'it' has no business day for more than a year; remove some of them");

    var always = calendar();
    MONDAY
        .withDayOfYear(1)
        .datesUntil(LocalDate.parse("2028-12-31"))
        .forEach(date -> always.holiday(MonthDay.from(date), "closed"));
    refused(
        always::build,
        "holidays",
        "calendar 'it' has no business day for more than a year; remove some of them");
  }

  @Test
  void calendars_that_never_work_together_are_refused() {
    BusinessCalendar mondays =
        calendar().weekend(EnumSet.complementOf(EnumSet.of(DayOfWeek.MONDAY))).build();
    BusinessCalendar fridays =
        calendar().weekend(EnumSet.complementOf(EnumSet.of(DayOfWeek.FRIDAY))).build();

    refused(
        () -> BusinessCalendar.combined("never", List.of(mondays, fridays)),
        "calendars",
        "calendar 'never' has no business day for more than a year; combine calendars that have"
            + " business days in common");
    refused(
        () -> BusinessCalendar.combined("none", List.of()),
        "calendars",
        "name at least one calendar to combine");
  }

  @Test
  void hours_that_make_no_sense_are_refused() {
    refused(
        () -> calendar().weekdayHours("09:00-13:00", "12:00-17:00").build(),
        "hours",
        "Monday: 09:00-13:00 and 12:00-17:00 overlap or are not in order");
    refused(
        () -> calendar().weekdayHours("13:00-17:00", "09:00-12:00").build(),
        "hours",
        "Monday: 13:00-17:00 and 09:00-12:00 overlap or are not in order");
    refused(
        () -> calendar().weekdayHours("05:00-09:00", "22:00-06:00").build(),
        "hours",
        "the hours of Monday go on into those of Tuesday; end them before, or begin those later");
    refused(
        () -> calendar().weekdayHours("09:00-09:00"),
        "hours",
        "a span of hours must not be empty; was 09:00-09:00; the whole day is 00:00-00:00");
    refused(
        () -> calendar().hours(DayOfWeek.MONDAY, "09:00-17:00").build(),
        "hours",
        "Tuesday has no hours; add some, or make it part of the weekend");
    refused(
        () -> calendar().weekdayHours().build(),
        "hours",
        "Monday has an empty list of hours; leave it out, or add hours");
    assertThatThrownBy(() -> HourSpan.parse("9 to 5"))
        .hasMessage(
            "'9 to 5' is no span of hours; write it as 09:00-17:30, or 22:00-06:00 across"
                + " midnight");
    assertThatThrownBy(() -> HourSpan.parse("09:00-25:00"))
        .isInstanceOf(InvalidValueException.class);
    assertThatThrownBy(() -> HourSpan.parse("-".repeat(100_000)))
        .isInstanceOf(InvalidValueException.class)
        .message()
        .hasSizeLessThan(200);
  }

  @Test
  void half_days_that_make_no_sense_are_refused() {
    refused(
        () -> calendar().halfDay(MONDAY.minusDays(1), "Sunday", LocalTime.NOON).build(),
        "halfDays",
        "2027-04-11 is no business day, so it is no half day; remove it, or add it to"
            + " extraWorkingDays");
    refused(
        () ->
            calendar()
                .weekdayHours("09:00-17:00")
                .halfDay(MONDAY, "early", LocalTime.of(8, 0))
                .build(),
        "halfDays",
        "2027-04-12 closes before it opens; give it hours, such as 22:00-02:00, or make it a holiday");
    refused(
        () -> calendar().halfDay(MONDAY, SpecialDay.named("half of what")).build(),
        "halfDays",
        "2027-04-12 needs a time at which it closes, or hours");
    refused(
        () ->
            calendar()
                .weekdayHours("09:00-17:00")
                .halfDay(MONDAY, SpecialDay.working("late", List.of(HourSpan.of("20:00", "10:00"))))
                .build(),
        "halfDays",
        "the hours of 2027-04-12 go on into those of 2027-04-13; end them before, or begin those"
            + " later");
  }

  @Test
  void dates_names_and_numbers_are_bounded() {
    refused(
        () -> calendar().holiday(LocalDate.parse("2200-01-01"), "later").build(),
        "holidays",
        "dates must be from 1970 to 2199; was 2200-01-01");
    refused(
        () -> calendar().extraWorkingDay(LocalDate.MIN, "then").build(),
        "extraWorkingDays",
        "dates must be from 1970 to 2199; was -999999999-01-01");
    refused(
        () -> calendar().coverageUntil(LocalDate.MAX).build(),
        "coverageUntil",
        "dates must be from 1970 to 2199; was +999999999-12-31");
    refused(
        () -> calendar().holiday(MONDAY, "x".repeat(201)).build(),
        "holidays",
        "a name has at most 200 characters; this has 201: '" + "x".repeat(32) + "…'");
    refused(
        () -> calendar().holiday(MONDAY, "two\nlines").build(),
        "holidays",
        "a name has no control characters and line ends");
    refused(
        () -> BusinessCalendar.named(" ", ROME).build(),
        "name",
        "a calendar needs a name, such as 'it'");
    var many = calendar();
    for (int day = 0; day < 5_001; day++) {
      many.holiday(LocalDate.EPOCH.plusDays(2L * day), "closed");
    }
    refused(many::build, "holidays", "at most 5000 are possible; were 5001");
    assertThatThrownBy(() -> BusinessCalendar.named("x", ZoneId.of("+02:00")).build())
        .isInstanceOf(InvalidValueException.class);
  }

  @Test
  void offsets_numbers_and_durations_are_bounded() {
    BusinessCalendar calendar = calendar().build();
    refused(
        () -> CalendarRule.of(calendar, Roll.SKIP).withOffset(251),
        "offset",
        "offset must be from -250 to 250 business days; was 251");
    refused(
        () -> new BusinessDayOfMonth(calendar, 0, LocalTime.NOON),
        "number",
        "a business day of the month is from 1 to 31, or from -1, the last, to -31; was 0");
    refused(
        () -> new BusinessDayOfMonth(calendar, 1, LocalTime.ofNanoOfDay(1)),
        "time",
        "a time of day is a whole second; was 00:00:00.000000001");
    refused(
        () -> new BusinessDayAfter(calendar, MONDAY, 0, LocalTime.NOON),
        "days",
        "days must be from 1 to 10000, or from -1 to -10000; was 0");
    refused(
        () -> new WorkingHoursEdge(calendar, WorkingHoursEdge.Edge.OPEN, Duration.ofDays(8)),
        "offset",
        "offset must be whole seconds, from -7d to 7d; was PT192H");
    assertThatThrownBy(() -> WorkingTime.plus(calendar, NOON, Duration.ofSeconds(-1)))
        .hasMessage("a duration of working time must be from 0s to 3660d; was PT-1S");
    assertThatThrownBy(
            () ->
                WorkingTime.plus(
                    calendar, Instant.parse("2199-12-30T00:00:00Z"), Duration.ofDays(90)))
        .hasMessage(
            "calendar 'it' has no PT2160H of working time after 2199-12-30T00:00:00Z; calendars"
                + " know the years 1970 to 2199");
  }

  @Test
  void quiet_hours_that_make_no_sense_are_refused() {
    refused(
        () ->
            new QuietHours(
                "always",
                ROME,
                List.of(QuietWindow.daily("00:00-12:00"), QuietWindow.daily("12:00-24:00")),
                List.of(),
                QuietAction.SKIP),
        "windows",
        "it would always be quiet; leave some time in which runs can start");
    refused(
        () -> new QuietWindow(Set.of(), HourSpan.DAY), "windows", "00:00-24:00 needs a weekday");
    refused(
        () -> QuietWindow.daily("00:00:30-12:00"),
        "windows",
        "quiet hours begin and end at whole minutes; were 00:00:30-12:00");
    refused(
        () -> new Freeze(NOON, NOON.plusSeconds(1), "a\nb"),
        "freezes",
        "the reason of a freeze is one line of at most 500 characters");
    refused(
        () -> new Freeze(NOON, NOON, "none"),
        "freezes",
        "a freeze must end after it begins; was from 2027-04-12T10:00:00Z until"
            + " 2027-04-12T10:00:00Z");
    refused(
        () -> new Freeze(NOON, NOON.plus(Duration.ofDays(367)), "long"),
        "freezes",
        "a freeze lasts at most 366 days; was from 2027-04-12T10:00:00Z until"
            + " 2028-04-13T10:00:00Z");
  }
}
