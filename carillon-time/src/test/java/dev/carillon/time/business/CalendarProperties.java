package dev.carillon.time.business;

import static org.assertj.core.api.Assertions.assertThat;

import dev.carillon.fixture.Property;
import java.time.LocalDate;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** The laws of business days. */
class CalendarProperties {
  @Property(cases = 2_000)
  void a_day_is_what_its_description_says(BusinessGen any) {
    BusinessCalendar calendar = any.calendar();
    LocalDate date = any.date();

    assertThat(calendar.isBusinessDay(date))
        .as("%s in %s: %s", date, calendar, calendar.day(date))
        .isEqualTo(calendar.day(date).isBusiness());
    assertThat(calendar.day(date).because()).isNotBlank().doesNotContain("null");
  }

  @Property(cases = 2_000)
  void business_days_are_found_and_counted_as_by_walking(BusinessGen any) {
    BusinessCalendar calendar = any.calendar();
    LocalDate date = any.date();
    int n = any.number(1, 60);

    List<LocalDate> walked =
        Stream.iterate(date.plusDays(1), day -> day.plusDays(1))
            .filter(calendar::isBusinessDay)
            .limit(n)
            .toList();
    List<LocalDate> back =
        Stream.iterate(date.minusDays(1), day -> day.minusDays(1))
            .filter(calendar::isBusinessDay)
            .limit(n)
            .toList();

    assertThat(calendar.nextBusinessDay(date)).contains(walked.get(0));
    assertThat(calendar.plusBusinessDays(date, n)).contains(walked.get(n - 1));
    assertThat(calendar.previousBusinessDay(date)).contains(back.get(0));
    assertThat(calendar.plusBusinessDays(date, -n)).contains(back.get(n - 1));
    assertThat(calendar.businessDaysBetween(date.plusDays(1), walked.get(n - 1).plusDays(1)))
        .isEqualTo(n);
  }

  @Property(cases = 2_000)
  void rolls_keep_the_order_of_dates(BusinessGen any) {
    BusinessCalendar calendar = any.calendar();
    LocalDate date = any.date();
    LocalDate later = date.plusDays(any.number(1, 40));
    for (Roll roll : Roll.values()) {
      Optional<LocalDate> first = calendar.roll(date, roll);
      Optional<LocalDate> second = calendar.roll(later, roll);

      assertThat(roll == Roll.SKIP || first.isPresent()).isTrue();
      if (first.isPresent() && second.isPresent()) {
        assertThat(first.get())
            .as("%s of %s and %s in %s", roll, date, later, calendar)
            .isBeforeOrEqualTo(second.get());
        assertThat(calendar.isBusinessDay(first.get())).isTrue();
      }
    }
  }

  @Property(cases = 2_000)
  void following_and_preceding_mirror_each_other(BusinessGen any) {
    BusinessCalendar calendar = any.calendar();
    LocalDate date = any.date();
    LocalDate following = calendar.roll(date, Roll.FOLLOWING).orElseThrow();
    LocalDate preceding = calendar.roll(date, Roll.PRECEDING).orElseThrow();

    if (calendar.isBusinessDay(date)) {
      assertThat(List.of(following, preceding)).containsOnly(date);
    } else {
      assertThat(calendar.previousBusinessDay(following)).contains(preceding);
      assertThat(calendar.nextBusinessDay(preceding)).contains(following);
      assertThat(List.of(following, preceding))
          .contains(calendar.roll(date, Roll.NEAREST).orElseThrow())
          .contains(calendar.roll(date, Roll.MODIFIED_FOLLOWING).orElseThrow())
          .contains(calendar.roll(date, Roll.MODIFIED_PRECEDING).orElseThrow());
    }
  }

  @Property(cases = 1_000)
  void working_time_is_in_order_and_says_so_of_itself(BusinessGen any) {
    BusinessCalendar calendar = any.calendar();
    LocalDate date =
        any.percent(50)
            ? any.date()
            : any.instant(calendar.zone()).atZone(calendar.zone()).toLocalDate();
    List<TimeRange> ranges =
        Stream.concat(
                calendar.workingTime(date).stream(),
                calendar.workingTime(date.plusDays(1)).stream())
            .toList();

    for (int i = 0; i < ranges.size(); i++) {
      TimeRange range = ranges.get(i);
      assertThat(range.start()).isBefore(range.end());
      assertThat(i == 0 || !range.start().isBefore(ranges.get(i - 1).end()))
          .as("%s in %s", ranges, calendar)
          .isTrue();
      assertThat(calendar.isWorkingTime(range.start())).as("%s of %s", range, calendar).isTrue();
      assertThat(calendar.isWorkingTime(range.end().minusNanos(1))).isTrue();
      boolean goesOn = i + 1 < ranges.size() && ranges.get(i + 1).start().equals(range.end());
      if (i + 1 < ranges.size()) {
        assertThat(calendar.isWorkingTime(range.end())).isEqualTo(goesOn);
        assertThat(calendar.nextWorkingTime(range.end())).contains(ranges.get(i + 1).start());
      }
    }
  }

  @Property(cases = 50)
  void equal_calendars_are_equal(BusinessGen any) {
    BusinessCalendar calendar = any.calendar();
    var copy = BusinessCalendar.named(calendar.name(), calendar.zone());
    copy.weekend(calendar.weekend());
    calendar.holidays().forEach(copy::holiday);
    calendar.recurringHolidays().forEach(copy::holiday);
    calendar.extraWorkingDays().forEach(copy::extraWorkingDay);
    calendar.halfDays().forEach(copy::halfDay);
    calendar.hours().forEach((day, spans) -> copy.hours(List.of(day), spans));

    if (calendar.parts().isEmpty()) {
      assertThat(copy.build()).isEqualTo(calendar).hasSameHashCodeAs(calendar);
    }
    assertThat(copy.coverageUntil(LocalDate.EPOCH).build()).isNotEqualTo(calendar);
  }
}
