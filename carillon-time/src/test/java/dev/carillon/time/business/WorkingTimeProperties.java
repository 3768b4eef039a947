package dev.carillon.time.business;

import static org.assertj.core.api.Assertions.assertThat;

import dev.carillon.fixture.Property;
import java.time.Duration;
import java.time.Instant;

/** The laws of working time. */
class WorkingTimeProperties {
  @Property(cases = 5_000)
  void what_is_added_is_between(BusinessGen any) {
    BusinessCalendar calendar = any.calendar();
    Instant start = any.instant(calendar.zone());
    Duration duration = any.upTo(Duration.ofHours(any.oneOf(1, 10, 200)));

    Instant end = WorkingTime.plus(calendar, start, duration);

    assertThat(WorkingTime.between(calendar, start, end))
        .as("%s from %s in %s", duration, start, calendar)
        .isEqualTo(duration);
    assertThat(WorkingTime.between(calendar, end, start)).isEqualTo(duration.negated());
  }

  @Property(cases = 5_000)
  void what_is_subtracted_is_between(BusinessGen any) {
    BusinessCalendar calendar = any.calendar();
    Instant end = any.instant(calendar.zone());
    Duration duration = any.upTo(Duration.ofHours(any.oneOf(1, 10, 200)));

    Instant start = WorkingTime.minus(calendar, end, duration);

    assertThat(WorkingTime.between(calendar, start, end))
        .as("%s to %s in %s", duration, end, calendar)
        .isEqualTo(duration);
  }

  @Property(cases = 5_000)
  void subtracting_what_was_added_leads_back_to_the_same_working_time(BusinessGen any) {
    BusinessCalendar calendar = any.calendar();
    Instant start = calendar.nextWorkingTime(any.instant(calendar.zone())).orElseThrow();
    Duration duration = any.upTo(Duration.ofHours(100)).plusSeconds(1);

    Instant back =
        WorkingTime.minus(calendar, WorkingTime.plus(calendar, start, duration), duration);

    assertThat(back).as("%s in %s", duration, calendar).isEqualTo(start);
  }

  @Property(cases = 5_000)
  void working_time_adds_up(BusinessGen any) {
    BusinessCalendar calendar = any.calendar();
    Instant start = any.instant(calendar.zone());
    Instant middle = start.plus(any.upTo(Duration.ofDays(20)));
    Instant end = middle.plus(any.upTo(Duration.ofDays(20)));

    assertThat(
            WorkingTime.between(calendar, start, middle)
                .plus(WorkingTime.between(calendar, middle, end)))
        .isEqualTo(WorkingTime.between(calendar, start, end))
        .isBetween(Duration.ZERO, Duration.between(start, end));
  }
}
