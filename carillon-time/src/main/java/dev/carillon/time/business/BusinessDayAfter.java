package dev.carillon.time.business;

import dev.carillon.time.InvalidValueException;
import dev.carillon.time.Zones;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalTime;
import java.time.ZoneId;
import java.util.Optional;

/**
 * A timing with one slot: on the n-th business day after a date, or before it, at a time of day.
 *
 * @param calendar the business days
 * @param date the date from which they are counted; it is not counted itself
 * @param days how many: from 1; before the date if negative
 * @param time the time of day, in whole seconds
 * @param zone the zone of the time of day
 */
public record BusinessDayAfter(
    BusinessCalendar calendar, LocalDate date, int days, LocalTime time, ZoneId zone)
    implements BusinessTiming {
  /** The largest number of days accepted, in both directions. */
  public static final int MAX_DAYS = 10_000;

  public BusinessDayAfter {
    if (days == 0 || days < -MAX_DAYS || days > MAX_DAYS) {
      throw new InvalidValueException(
          "days",
          "days must be from 1 to %s, or from -1 to -%s; was %s"
              .formatted(MAX_DAYS, MAX_DAYS, days));
    }
    if (date.isBefore(BusinessDays.FIRST) || date.isAfter(BusinessDays.LAST)) {
      throw new InvalidValueException("date", "dates must be from 1970 to 2199; was " + date);
    }
    WholeSecond.check("time", time);
    Zones.check(zone);
  }

  /** Use the time of day in the zone of the calendar. */
  public BusinessDayAfter(BusinessCalendar calendar, LocalDate date, int days, LocalTime time) {
    this(calendar, date, days, time, calendar.zone());
  }

  /** Return the slot; empty if it would not be from 1970 to 2199. */
  public Optional<Instant> slot() {
    return calendar.plusBusinessDays(date, days).map(day -> Zones.instant(day.atTime(time), zone));
  }

  @Override
  public Optional<Instant> next(Instant after) {
    return slot().filter(slot -> slot.isAfter(after));
  }

  @Override
  public Optional<Instant> previous(Instant before) {
    return slot().filter(slot -> slot.isBefore(before));
  }

  @Override
  public long count(Instant after, Instant through) {
    return next(after).filter(slot -> !slot.isAfter(through)).isPresent() ? 1 : 0;
  }

  @Override
  public String describe() {
    int most = Math.abs(days);
    return "Once, %s business day%s %s %s at %s, calendar %s, %s"
        .formatted(
            most,
            most == 1 ? "" : "s",
            days < 0 ? "before" : "after",
            date,
            time,
            calendar.name(),
            zone);
  }
}
