package dev.carillon.time;

import static org.assertj.core.api.Assertions.assertThat;

import dev.carillon.fixture.Property;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.Period;
import java.time.ZoneId;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.TreeSet;

/** Periods of the calendar against plain counting with the dates of the JDK. */
@SuppressWarnings("JavaPeriodGetDays") // months are counted beside the days
class EveryPeriodProperties {
  @Property(cases = 2_000)
  void slots_lie_whole_periods_of_the_calendar_from_the_anchor(TimeGen any) {
    EveryPeriod every = any.everyPeriod();
    Instant start = every.anchorInstant().plusSeconds(any.number(-100_000_000, 100_000_000));
    start = any.percent(30) ? every.next(start).orElse(start) : start;
    Instant end = start.plus(any.upTo(Duration.ofDays(400)));
    NavigableSet<Instant> counted = counted(every);

    assertThat(every.between(start, end).stream().toList())
        .as("%s between %s and %s", every, start, end)
        .containsExactlyElementsOf(counted.subSet(start, false, end, true));
    assertThat(every.count(start, end))
        .as("%s between %s and %s", every, start, end)
        .isEqualTo(counted.subSet(start, false, end, true).size());
    assertThat(every.previous(start))
        .as("%s before %s", every, start)
        .isEqualTo(Optional.ofNullable(counted.lower(start)));
  }

  /* Days are the shortest: this reaches five years beyond what is asked for. */
  private static NavigableSet<Instant> counted(EveryPeriod every) {
    var slots = new TreeSet<Instant>();
    for (int n = -3_000; n <= 3_000; n++) {
      LocalDateTime local =
          every
              .anchor()
              .plusMonths(every.period().toTotalMonths() * n)
              .plusDays((long) every.period().getDays() * n);
      if (local.getYear() >= 1970 && local.getYear() < 2200) {
        slots.add(read(local, every.zone()));
      }
    }
    return slots;
  }

  /* A time that the clocks skip is the first one after the gap; of two, it is the first. */
  private static Instant read(LocalDateTime local, ZoneId zone) {
    var offsets = zone.getRules().getValidOffsets(local);
    return offsets.isEmpty()
        ? zone.getRules().getTransition(local).getInstant()
        : local.toInstant(offsets.get(0));
  }

  @Property(cases = 10_000)
  void an_amount_of_time_ends_on_the_same_clock_time(TimeGen any) {
    ZoneId zone = any.zone();
    Instant start = any.instantNearShiftOf(zone);
    Period period = any.period();
    Duration time = any.percent(50) ? Duration.ZERO : any.upTo(Duration.ofDays(2));

    Instant end = new PeriodDuration(period, time).after(start, zone);

    LocalDateTime day = LocalDateTime.ofInstant(start, zone).plus(period);
    assertThat(end)
        .as("%s and %s after %s in %s", period, time, start, zone)
        .isEqualTo(read(day, zone).plus(time))
        .isAfterOrEqualTo(start);
  }

  @Property(cases = 10_000)
  void what_is_written_is_read_again(TimeGen any) {
    Period period = any.period();
    Duration time = any.percent(30) ? Duration.ZERO : any.upTo(Duration.ofHours(30));
    String text = period + (time.isZero() ? "" : time.toString().substring(1));

    assertThat(Optional.of(PeriodDuration.parse(text)))
        .as(text)
        .contains(new PeriodDuration(period, time));
  }
}
