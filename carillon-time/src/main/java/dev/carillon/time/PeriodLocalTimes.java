package dev.carillon.time;

import java.time.LocalDateTime;
import java.time.Period;
import java.time.ZoneOffset;

/**
 * The local date-times at multiples of a period from an anchor. Each is counted from the anchor,
 * not from the previous one: 31 January, 28 February, 31 March.
 *
 * @param period the distance, positive and without negative parts
 * @param anchor the date-time from which they are counted
 */
@SuppressWarnings("JavaPeriodGetDays") // months are counted separately
record PeriodLocalTimes(Period period, LocalDateTime anchor) implements LocalTimes {
  private static final double DAYS_OF_A_MONTH = 146_097.0 / 4_800;
  private static final long END = (long) MonthTable.endDay() * TimesOfDay.DAY;

  @Override
  public long atOrAfter(long local) {
    if (local >= END) {
      return NEVER;
    }
    long slot = slot(lastAtOrBefore(Math.max(local, 0) - 1) + 1);
    return slot < END ? slot : NEVER;
  }

  @Override
  public long atOrBefore(long local) {
    if (local < 0) {
      return NONE;
    }
    long slot = slot(lastAtOrBefore(Math.min(local, END - 1)));
    return slot >= 0 ? slot : NONE;
  }

  @Override
  public long count(long from, long to) {
    long low = Math.max(from, 0);
    long high = Math.min(to, END);
    return low < high ? lastAtOrBefore(high - 1) - lastAtOrBefore(low - 1) : 0;
  }

  private long slot(long number) {
    return anchor
        .plusMonths(period.toTotalMonths() * number)
        .plusDays(period.getDays() * number)
        .toEpochSecond(ZoneOffset.UTC);
  }

  /* Months differ from their average length by days: the estimate is off by two at most. */
  private long lastAtOrBefore(long local) {
    double days = period.toTotalMonths() * DAYS_OF_A_MONTH + period.getDays();
    double apart = local - anchor.toEpochSecond(ZoneOffset.UTC);
    long number = (long) Math.floor(apart / (days * TimesOfDay.DAY));
    while (slot(number) > local) {
      number--;
    }
    while (slot(number + 1) <= local) {
      number++;
    }
    return number;
  }
}
