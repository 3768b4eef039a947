package dev.carillon.time.business;

import dev.carillon.time.EveryPeriod;
import dev.carillon.time.InvalidValueException;
import dev.carillon.time.Timing;
import dev.carillon.time.Zones;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalTime;
import java.time.Period;
import java.time.YearMonth;
import java.time.ZoneId;
import java.util.Optional;

/**
 * On the n-th business day of every month of a calendar, or the n-th from the end, at a time of
 * day. Its slots are on the first day of each month at that time; counted from the end, on the
 * last.
 *
 * @param calendar the name of the calendar
 * @param number from 1; from the end if negative: -1 is the last, -2 the one before
 * @param time the time of day, in whole seconds
 * @param zone the zone of the time of day; empty for that of the calendar
 */
public record MonthlyBusinessDay(String calendar, int number, LocalTime time, Optional<ZoneId> zone)
    implements CalendarTiming {
  /** The largest number accepted, in both directions. */
  public static final int MAX_NUMBER = 31;

  /* As far as two days of a month, or two zones, are apart. */
  private static final Duration MONTH = Duration.ofDays(31);
  private static final Duration ZONES = Duration.ofDays(2);

  public MonthlyBusinessDay {
    if (number == 0 || number < -MAX_NUMBER || number > MAX_NUMBER) {
      throw new InvalidValueException(
          "businessDay",
          "a business day of the month is from 1 to 31, or from -1, the last, to -31; was "
              + number);
    }
    WholeSecond.check("time", time);
    zone.ifPresent(Zones::check);
  }

  @Override
  public MonthlyBusinessDay withZone(ZoneId other) {
    return new MonthlyBusinessDay(calendar, number, time, Optional.of(other));
  }

  @Override
  public BusinessDayOfMonth on(BusinessCalendar days) {
    return new BusinessDayOfMonth(days, number, time, zone.orElse(days.zone()));
  }

  private Timing slots() {
    LocalDate first = LocalDate.of(1970, 1, number > 0 ? 1 : 31);
    return new EveryPeriod(Period.ofMonths(1), first.atTime(time), slotZone());
  }

  private YearMonth month(Instant slot) {
    return YearMonth.from(slot.atZone(slotZone()));
  }

  @Override
  public Optional<Instant> named(BusinessCalendar days, Instant slot) {
    return on(days).in(month(slot));
  }

  @Override
  public String named(Instant slot) {
    return words() + " of " + month(slot);
  }

  @Override
  public String unnamed(BusinessCalendar days, Instant slot) {
    LocalDate first = month(slot).atDay(1);
    int most = days.businessDaysBetween(first, first.plusMonths(1));
    return "%s has %s business day%s".formatted(month(slot), most, most == 1 ? "" : "s");
  }

  @Override
  public Duration maxBeforeSlot() {
    return number > 0 ? ZONES : MONTH.plus(ZONES);
  }

  @Override
  public Duration maxAfterSlot() {
    return number > 0 ? MONTH.plus(ZONES) : ZONES;
  }

  @Override
  public Optional<Instant> next(Instant after) {
    return slots().next(after);
  }

  @Override
  public Optional<Instant> previous(Instant before) {
    return slots().previous(before);
  }

  @Override
  public long count(Instant after, Instant through) {
    return slots().count(after, through);
  }

  private String words() {
    if (number > 0) {
      return "business day " + number;
    }
    return number == -1 ? "the last business day" : "business day " + -number + " from the end";
  }

  @Override
  public String describe() {
    return "On %s of the month at %s, calendar %s%s"
        .formatted(words(), time, calendar, zone.map(id -> ", " + id).orElse(""));
  }
}
