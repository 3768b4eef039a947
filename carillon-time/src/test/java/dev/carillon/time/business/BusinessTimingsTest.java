package dev.carillon.time.business;

import static org.assertj.core.api.Assertions.assertThat;

import dev.carillon.fixture.Property;
import dev.carillon.time.Fire;
import dev.carillon.time.Lint;
import dev.carillon.time.Timing;
import dev.carillon.time.Warning;
import dev.carillon.time.Zones;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.YearMonth;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class BusinessTimingsTest {
  private static final ZoneId ROME = ZoneId.of("Europe/Rome");
  private static final LocalTime NINE = LocalTime.of(9, 0);
  private static final BusinessCalendar ITALY =
      BusinessCalendar.named("it", ROME)
          .holiday(LocalDate.parse("2027-03-29"), "Easter Monday")
          .holiday(LocalDate.parse("2027-01-01"), "New Year")
          .weekdayHours("09:00-12:00", "13:00-17:00")
          .halfDay(LocalDate.parse("2027-12-24"), "Christmas Eve", LocalTime.NOON)
          .build();

  private static List<String> next(Timing timing, String after, int count) {
    return Fire.next(timing, ROME, LocalDateTime.parse(after).atZone(ROME).toInstant(), count)
        .stream()
        .map(fire -> fire.local().toLocalDateTime().toString())
        .toList();
  }

  @Test
  void a_timing_may_name_the_nth_business_day_of_a_month() {
    assertThat(next(new BusinessDayOfMonth(ITALY, 1, NINE), "2026-12-15T00:00", 4))
        .containsExactly(
            "2027-01-04T09:00", "2027-02-01T09:00", "2027-03-01T09:00", "2027-04-01T09:00");
    assertThat(next(new BusinessDayOfMonth(ITALY, -1, NINE), "2027-01-29T09:00", 3))
        .containsExactly("2027-02-26T09:00", "2027-03-31T09:00", "2027-04-30T09:00");
    assertThat(next(new BusinessDayOfMonth(ITALY, -2, NINE), "2027-03-01T00:00", 1))
        .containsExactly("2027-03-30T09:00");
  }

  @Test
  void a_month_with_fewer_business_days_has_no_slot() {
    assertThat(next(new BusinessDayOfMonth(ITALY, 23, NINE), "2027-01-01T00:00", 3))
        .containsExactly("2027-12-31T09:00", "2028-03-31T09:00", "2028-05-31T09:00");
  }

  @Test
  void months_are_those_of_a_walk_over_all_days() {
    var timing = new BusinessDayOfMonth(ITALY, 3, LocalTime.of(2, 30));
    var walked = new ArrayList<Instant>();
    for (YearMonth month = YearMonth.of(2020, 1);
        month.getYear() < 2040;
        month = month.plusMonths(1)) {
      List<LocalDate> days =
          month
              .atDay(1)
              .datesUntil(month.plusMonths(1).atDay(1))
              .filter(ITALY::isBusinessDay)
              .toList();
      walked.add(Zones.instant(days.get(2).atTime(2, 30), ROME));
    }
    Instant start = Instant.parse("2019-12-31T12:00:00Z");
    Instant end = Instant.parse("2039-12-31T12:00:00Z");

    assertThat(timing.between(start, end)).containsExactlyElementsOf(walked);
    assertThat(timing.count(start, end)).isEqualTo(240);
  }

  @Property(cases = 100)
  void edges_of_working_hours_are_those_of_a_walk_over_all_days(BusinessGen any) {
    BusinessCalendar calendar = any.calendar();
    boolean opens = any.percent(50);
    Duration offset = Duration.ofMinutes(any.number(-3_000, 3_000));
    var edge = opens ? WorkingHoursEdge.Edge.OPEN : WorkingHoursEdge.Edge.CLOSE;
    var timing = new WorkingHoursEdge(calendar, edge, offset);
    LocalDate from = any.date();
    LocalDate to = from.plusDays(200);
    List<Instant> walked =
        from.datesUntil(to)
            .map(calendar::workingTime)
            .filter(ranges -> !ranges.isEmpty())
            .map(ranges -> opens ? ranges.get(0).start() : ranges.get(ranges.size() - 1).end())
            .map(at -> at.plus(offset))
            .toList();
    if (!walked.isEmpty()) {
      Instant first = walked.get(0).minusNanos(1);
      Instant last = walked.get(walked.size() - 1);
      assertThat(timing.between(first, last)).containsExactlyElementsOf(walked);
      assertThat(timing.count(first, last)).isEqualTo(walked.size());
    }
  }

  @Test
  void a_timing_may_be_when_hours_open_or_close() {
    assertThat(next(new WorkingHoursEdge(ITALY, WorkingHoursEdge.Edge.OPEN), "2027-03-26T00:00", 2))
        .containsExactly("2027-03-26T09:00", "2027-03-30T09:00");
    assertThat(
            next(
                new WorkingHoursEdge(ITALY, WorkingHoursEdge.Edge.CLOSE, Duration.ofMinutes(-30)),
                "2027-12-23T00:00",
                3))
        .containsExactly("2027-12-23T16:30", "2027-12-24T11:30", "2027-12-27T16:30");
  }

  @Test
  void a_timing_may_be_some_business_days_after_a_date() {
    LocalDate friday = LocalDate.parse("2027-03-26");

    assertThat(next(new BusinessDayAfter(ITALY, friday, 2, NINE), "2027-01-01T00:00", 5))
        .containsExactly("2027-03-31T09:00");
    assertThat(next(new BusinessDayAfter(ITALY, friday, -1, NINE), "2027-01-01T00:00", 5))
        .containsExactly("2027-03-25T09:00");
    assertThat(new BusinessDayAfter(ITALY, LocalDate.parse("2199-12-31"), 1, NINE).slot())
        .isEmpty();
  }

  @Test
  void timings_are_put_into_words() {
    assertThat(new BusinessDayOfMonth(ITALY, 3, NINE).describe())
        .isEqualTo("On business day 3 of the month at 09:00, calendar it, Europe/Rome");
    assertThat(new BusinessDayOfMonth(ITALY, -1, NINE).describe())
        .isEqualTo("On the last business day of the month at 09:00, calendar it, Europe/Rome");
    assertThat(new BusinessDayOfMonth(ITALY, -2, NINE).describe())
        .isEqualTo(
            "On business day 2 from the end of the month at 09:00, calendar it, Europe/Rome");
    assertThat(new BusinessDayAfter(ITALY, LocalDate.parse("2027-03-26"), 1, NINE).describe())
        .isEqualTo("Once, 1 business day after 2027-03-26 at 09:00, calendar it, Europe/Rome");
    assertThat(new WorkingHoursEdge(ITALY, WorkingHoursEdge.Edge.OPEN).describe())
        .isEqualTo("When working hours open, calendar it, Europe/Rome");
    assertThat(
            new WorkingHoursEdge(ITALY, WorkingHoursEdge.Edge.CLOSE, Duration.ofMinutes(-90))
                .describe())
        .isEqualTo("1h30m before working hours close, calendar it, Europe/Rome");
  }

  @Test
  void timings_are_equal_if_all_that_decides_is() {
    assertThat(new BusinessDayOfMonth(ITALY, 3, NINE))
        .isEqualTo(new BusinessDayOfMonth(ITALY, 3, NINE, ROME))
        .hasSameHashCodeAs(new BusinessDayOfMonth(ITALY, 3, NINE, ROME))
        .isNotEqualTo(new BusinessDayOfMonth(ITALY, 3, NINE, ZoneId.of("UTC")))
        .isNotEqualTo(new BusinessDayOfMonth(ITALY, 4, NINE));
  }

  @Test
  void slots_after_the_end_of_the_known_holidays_are_warned_about() {
    BusinessCalendar ending =
        BusinessCalendar.named("short", ROME).coverageUntil(LocalDate.parse("2026-12-31")).build();
    var timing = new BusinessDayOfMonth(ending, 1, NINE);

    assertThat(Lint.of(timing, Instant.parse("2026-12-15T00:00:00Z")))
        .containsExactly(
            new Warning(
                "CALENDAR_ENDS",
                "the holidays of calendar short are known until 2026-12-31, the next slot is on"
                    + " 2027-01-01; import later ones"));
    assertThat(Lint.of(timing, Instant.parse("2026-11-15T00:00:00Z"))).isEmpty();
  }

  @Test
  void a_business_day_that_no_month_has_is_warned_about() {
    assertThat(
            Lint.of(new BusinessDayOfMonth(ITALY, 24, NINE), Instant.parse("2026-12-15T00:00:00Z")))
        .extracting(Warning::code)
        .containsExactly("NEVER_FIRES");
  }

  @Test
  void the_zone_of_a_timing_is_known() {
    assertThat(Zones.of(new WorkingHoursEdge(ITALY, WorkingHoursEdge.Edge.OPEN))).contains(ROME);
  }
}
