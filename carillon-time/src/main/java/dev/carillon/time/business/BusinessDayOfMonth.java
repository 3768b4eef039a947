package dev.carillon.time.business;

import dev.carillon.time.InvalidValueException;
import dev.carillon.time.Zones;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalTime;
import java.time.YearMonth;
import java.time.ZoneId;
import java.util.Optional;

/**
 * A timing on the n-th business day of every month, or the n-th from the end, at a time of day.
 * Months with fewer business days have no slot.
 *
 * <p>A slot at a skipped local time moves to the end of the gap; a slot at a repeated local time is
 * the first of the two.
 *
 * @param calendar the business days
 * @param number from 1; from the end if negative: -1 is the last, -2 the one before
 * @param time the time of day, in whole seconds
 * @param zone the zone of the time of day
 */
public record BusinessDayOfMonth(BusinessCalendar calendar, int number, LocalTime time, ZoneId zone)
    implements BusinessTiming {

  public BusinessDayOfMonth {
    if (number == 0 || number < -31 || number > 31) {
      throw new InvalidValueException(
          "number",
          "a business day of the month is from 1 to 31, or from -1, the last, to -31; was "
              + number);
    }
    WholeSecond.check("time", time);
    Zones.check(zone);
  }

  /** Use the time of day in the zone of the calendar. */
  public BusinessDayOfMonth(BusinessCalendar calendar, int number, LocalTime time) {
    this(calendar, number, time, calendar.zone());
  }

  /** Return its slot in {@code month}; empty if that has fewer business days. */
  public Optional<Instant> in(YearMonth month) {
    int number = (month.getYear() - 1970) * 12 + month.getMonthValue() - 1;
    if (number < 0 || number >= Months.SIZE) {
      return Optional.empty();
    }
    long second = slots().slot(number);
    return second == OrderedSlots.NONE
        ? Optional.empty()
        : Optional.of(Instant.ofEpochSecond(second));
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
    if (!after.isBefore(through)) {
      return 0;
    }
    OrderedSlots slots = slots();
    int end = slots.firstAfter(through.getEpochSecond());
    long count = 0;
    for (int month = slots.firstAfter(after.getEpochSecond()); month < end; month++) {
      count += slots.slot(month) == OrderedSlots.NONE ? 0 : 1;
    }
    return count;
  }

  private OrderedSlots slots() {
    return new Months();
  }

  @Override
  public String describe() {
    String day =
        number > 0
            ? "business day " + number
            : number == -1 ? "the last business day" : "business day " + -number + " from the end";
    return "On %s of the month at %s, calendar %s, %s".formatted(day, time, calendar.name(), zone);
  }

  /** A slot per month from January 1970. */
  private final class Months implements OrderedSlots {
    private static final int SIZE = (2200 - 1970) * 12;

    @Override
    public int size() {
      return SIZE;
    }

    @Override
    public long slot(int month) {
      BusinessDays days = calendar.days();
      int first = days.before(firstDay(month));
      int end = days.before(firstDay(month + 1));
      int index = number > 0 ? first + number - 1 : end + number;
      return index < first || index >= end
          ? NONE
          : Zones.instant(LocalDate.ofEpochDay(days.get(index)).atTime(time), zone)
              .getEpochSecond();
    }

    private static long firstDay(int month) {
      return LocalDate.of(1970 + month / 12, month % 12 + 1, 1).toEpochDay();
    }

    @Override
    public int numberNear(long second) {
      long day = Math.floorDiv(second, (long) HourSpan.DAY_SECONDS) - 2;
      if (day < 0) {
        return 0;
      }
      LocalDate date = LocalDate.ofEpochDay(Math.min(day, BusinessDays.END));
      return (date.getYear() - 1970) * 12 + date.getMonthValue() - 1;
    }
  }
}
