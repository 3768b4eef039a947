package dev.carillon.time.business;

import static org.assertj.core.api.Assertions.assertThat;

import dev.carillon.fixture.Property;
import dev.carillon.time.Due;
import dev.carillon.time.DueRule;
import dev.carillon.time.Slots;
import dev.carillon.time.Window;
import dev.carillon.time.Zones;
import dev.carillon.time.business.WorkingHoursEdge.Edge;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalTime;
import java.time.YearMonth;
import java.time.ZoneId;
import java.util.List;
import java.util.Optional;

/** The laws of timings that know their calendar by name. */
class CalendarTimingProperties {
  private static final Instant FIRST = Instant.parse("1971-01-01T00:00:00Z");
  private static final Instant LAST = Instant.parse("2198-12-01T00:00:00Z");

  private static CalendarTiming timing(BusinessGen any, BusinessCalendar calendar) {
    Optional<ZoneId> zone =
        any.percent(50)
            ? Optional.of(calendar.zone())
            : any.percent(50) ? Optional.empty() : Optional.of(any.zone());
    LocalTime time = LocalTime.ofSecondOfDay(any.number(0, 86_399));
    int kind = any.number(1, 3);
    if (kind == 1) {
      int number = any.percent(50) ? any.number(1, 24) : -any.number(1, 24);
      return new MonthlyBusinessDay(calendar.name(), number, time, zone);
    }
    if (kind == 2) {
      int days = any.percent(70) ? any.number(1, 40) : -any.number(1, 40);
      return new BusinessDaysAfter(calendar.name(), days, any.date(), time, zone);
    }
    Duration offset = Duration.ofMinutes(any.number(-1_440, 1_440));
    return new OpenOrClose(calendar.name(), any.oneOf(List.of(Edge.values())), offset, zone);
  }

  private static Instant anySlot(BusinessGen any, CalendarTiming timing) {
    return timing
        .next(any.instant(timing.slotZone()))
        .or(() -> timing.previous(LAST))
        .orElseThrow();
  }

  @Property(cases = 2_000)
  void a_due_time_is_a_slot_of_the_same_timing_that_holds_the_calendar(BusinessGen any) {
    BusinessCalendar calendar = any.calendar();
    CalendarTiming timing = timing(any, calendar);
    Instant slot = anySlot(any, timing);

    Due due = new CalendarTimingRule(timing, calendar).due(slot);

    if (due instanceof Due.At at) {
      assertThat(timing.on(calendar).matches(at.at())).as("%s of %s", due, timing).isTrue();
    } else {
      assertThat(((Due.Dropped) due).because()).isNotBlank();
    }
  }

  /* A date that the zone skips has the slot of the next. */
  @Property(cases = 400)
  void each_time_that_is_meant_has_a_slot(BusinessGen any) {
    BusinessCalendar calendar = any.calendar();
    CalendarTiming timing = timing(any, calendar);
    var rule = new CalendarTimingRule(timing, calendar);
    Instant from = any.instant(calendar.zone());
    if (from.isBefore(FIRST) || from.isAfter(LAST)) {
      return;
    }
    Instant to = from.plus(Duration.ofDays(100));

    Slots slots = timing.between(from.minus(rule.maxDelay()), to.plus(rule.maxAdvance()));

    assertThat(slots.stream().map(rule::named).distinct().toList())
        .as("%s by %s", timing, calendar)
        .containsAll(
            timing.on(calendar).between(from, to).stream()
                .filter(meant -> !isOfSkippedDate(meant, timing.slotZone()))
                .toList());
  }

  private static boolean isOfSkippedDate(Instant meant, ZoneId zone) {
    return zone.getId().equals("Pacific/Apia")
        && Duration.between(meant, Instant.parse("2011-12-30T12:00:00Z")).abs().toDays() < 40;
  }

  @Property(cases = 2_000)
  void no_due_time_is_outside_of_its_bounds(BusinessGen any) {
    BusinessCalendar calendar = any.calendar();
    CalendarTiming timing = timing(any, calendar);
    List<QuietHours> quiet = any.percent(50) ? List.of() : List.of(any.quietHours());
    DueRule rule = DueRules.of(new CalendarTimingRule(timing, calendar), any.maybeRule(), quiet);
    Instant slot = anySlot(any, timing);

    if (rule.due(slot) instanceof Due.At due) {
      assertThat(due.at())
          .as("%s of %s by %s: %s", slot, timing, calendar, due)
          .isAfterOrEqualTo(slot.minus(rule.maxAdvance()))
          .isBeforeOrEqualTo(slot.plus(rule.maxDelay()));
      assertThat(rule.named(slot))
          .isAfterOrEqualTo(slot.minus(rule.maxAdvance()))
          .isBeforeOrEqualTo(slot.plus(rule.maxDelay()));
    }
  }

  @Property(cases = 2_000)
  void the_nth_business_day_is_what_counting_by_hand_finds(BusinessGen any) {
    BusinessCalendar calendar = any.calendar();
    ZoneId zone = calendar.zone();
    LocalTime time = LocalTime.of(any.number(4, 21), 0);
    YearMonth month = YearMonth.from(any.date());
    int number = any.percent(50) ? any.number(1, 24) : -any.number(1, 24);
    var timing = new MonthlyBusinessDay(calendar.name(), number, time, Optional.of(zone));
    LocalDate day = number > 0 ? month.atDay(1) : month.atEndOfMonth();
    Instant slot = Zones.instant(day.atTime(time), zone);
    List<LocalDate> days =
        month
            .atDay(1)
            .datesUntil(month.plusMonths(1).atDay(1))
            .filter(calendar::isBusinessDay)
            .toList();
    int index = number > 0 ? number - 1 : days.size() + number;

    Due due = new CalendarTimingRule(timing, calendar).due(slot);

    assertThat(timing.matches(slot)).as("%s at %s", timing, slot).isTrue();
    if (index < 0 || index >= days.size()) {
      assertThat(due)
          .isEqualTo(
              new Due.Dropped(
                  Due.Policy.CALENDAR,
                  calendar.name(),
                  "%s has %s business day%s"
                      .formatted(month, days.size(), days.size() == 1 ? "" : "s")));
    } else {
      assertThat(due)
          .isInstanceOfSatisfying(
              Due.At.class,
              at ->
                  assertThat(at.at()).isEqualTo(Zones.instant(days.get(index).atTime(time), zone)));
    }
  }

  @Property(cases = 2_000)
  void what_quiet_hours_put_off_goes_on_to_a_business_day(BusinessGen any) {
    BusinessCalendar calendar = any.calendar();
    int number = any.percent(50) ? any.number(1, 15) : -any.number(1, 15);
    LocalTime time = LocalTime.of(any.number(0, 23), 0);
    var timing =
        new MonthlyBusinessDay(calendar.name(), number, time, Optional.of(calendar.zone()));
    QuietHours quiet = any.quietHours();
    DueRule rule =
        DueRules.of(new CalendarTimingRule(timing, calendar), Optional.empty(), List.of(quiet));
    Instant slot = anySlot(any, timing);

    if (rule.due(slot) instanceof Due.At due && !due.at().equals(rule.named(slot))) {
      assertThat(calendar.isBusinessDay(LocalDate.ofInstant(due.at(), calendar.zone())))
          .as("%s of %s by %s and %s", due, timing, calendar, quiet)
          .isTrue();
      assertThat(new QuietHoursRule(List.of(quiet)).due(due.at())).isEqualTo(Due.at(due.at()));
    }
  }

  @Property(cases = 2_000)
  void a_window_has_the_slots_of_all_times_in_it(BusinessGen any) {
    BusinessCalendar calendar = any.calendar();
    CalendarTiming timing = timing(any, calendar);
    Instant slot = anySlot(any, timing);
    Instant meant = new CalendarTimingRule(timing, calendar).named(slot);
    var window = new Window(meant, meant);

    assertThat(window.next(timing, slot.minusSeconds(1))).contains(slot);
    assertThat(window.previous(timing, slot.plusSeconds(1))).contains(slot);
    assertThat(window.between(timing, slot.minusSeconds(1), slot)).containsExactly(slot);
  }
}
