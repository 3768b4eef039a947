package dev.carillon.time.business;

import dev.carillon.time.InvalidValueException;
import dev.carillon.time.Once;
import dev.carillon.time.Zones;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalTime;
import java.time.ZoneId;
import java.util.Optional;

/**
 * Once, on the n-th business day of a calendar after a date, or before it, at a time of day. Its
 * slot is on the date itself at that time.
 *
 * @param calendar the name of the calendar
 * @param days how many: from 1; before the date if negative
 * @param date the date from which they are counted; it is not counted itself
 * @param time the time of day, in whole seconds
 * @param zone the zone of the time of day; empty for that of the calendar
 */
public record BusinessDaysAfter(
    String calendar, int days, LocalDate date, LocalTime time, Optional<ZoneId> zone)
    implements CalendarTiming {
  /** The largest number of days accepted, in both directions: about four years. */
  public static final int MAX_DAYS = 1_000;

  /* A calendar has a business day a year at least; more than its four years are not needed. */
  private static final Duration MAX = Duration.ofDays(230 * 366);
  private static final Duration ZONES = Duration.ofDays(2);

  public BusinessDaysAfter {
    if (days == 0 || days < -MAX_DAYS || days > MAX_DAYS) {
      throw new InvalidValueException(
          "businessDaysAfter",
          "business days after a date are from 1 to %s, or before it from -1 to -%s; was %s"
              .formatted(MAX_DAYS, MAX_DAYS, days));
    }
    if (date.isBefore(BusinessDays.FIRST) || date.isAfter(BusinessDays.LAST)) {
      throw new InvalidValueException("date", "dates must be from 1970 to 2199; was " + date);
    }
    WholeSecond.check("time", time);
    zone.ifPresent(Zones::check);
  }

  @Override
  public BusinessDaysAfter withZone(ZoneId other) {
    return new BusinessDaysAfter(calendar, days, date, time, Optional.of(other));
  }

  @Override
  public BusinessDayAfter on(BusinessCalendar business) {
    return new BusinessDayAfter(business, date, days, time, zone.orElse(business.zone()));
  }

  /** Return its slot. */
  public Instant slot() {
    return Zones.instant(date.atTime(time), slotZone());
  }

  private Once once() {
    return new Once(slot());
  }

  @Override
  public Optional<Instant> named(BusinessCalendar business, Instant slot) {
    return on(business).slot();
  }

  @Override
  public String named(Instant slot) {
    return words();
  }

  @Override
  public String unnamed(BusinessCalendar business, Instant slot) {
    return words() + " is not from 1970 to 2199";
  }

  @Override
  public Duration maxBeforeSlot() {
    return days > 0 ? ZONES : MAX;
  }

  @Override
  public Duration maxAfterSlot() {
    return days > 0 ? MAX : ZONES;
  }

  @Override
  public Optional<Instant> next(Instant after) {
    return once().next(after);
  }

  @Override
  public Optional<Instant> previous(Instant before) {
    return once().previous(before);
  }

  @Override
  public long count(Instant after, Instant through) {
    return once().count(after, through);
  }

  private String words() {
    int most = Math.abs(days);
    return "%s business day%s %s %s"
        .formatted(most, most == 1 ? "" : "s", days < 0 ? "before" : "after", date);
  }

  @Override
  public String describe() {
    return "Once, %s at %s, calendar %s%s"
        .formatted(words(), time, calendar, zone.map(id -> ", " + id).orElse(""));
  }
}
