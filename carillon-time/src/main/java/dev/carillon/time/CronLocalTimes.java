package dev.carillon.time;

/**
 * The local date-times that match a cron expression, in no zone. A local date-time is its distance
 * in seconds from 1970-01-01T00:00 local time.
 *
 * @param times the second, minute and hour fields
 * @param days the two day fields
 * @param months the month and year fields
 */
record CronLocalTimes(TimesOfDay times, DayRule days, MonthSet months) implements LocalTimes {
  private static final int DAY = TimesOfDay.DAY;
  private static final long END = (long) MonthTable.endDay() * DAY;

  @Override
  public long atOrAfter(long local) {
    if (local >= END) {
      return NEVER;
    }
    long from = Math.max(local, 0);
    int day = (int) (from / DAY);
    int month = MonthTable.containing(day);
    int dayOfMonth = day - MonthTable.firstDay(month);
    int matching = daysIn(month);
    if ((matching >>> dayOfMonth & 1) != 0) {
      int time = times.atOrAfter((int) (from - (long) day * DAY));
      if (time != TimesOfDay.NONE) {
        return (long) day * DAY + time;
      }
    }
    matching &= -2 << dayOfMonth;
    while (matching == 0) {
      month = months.atOrAfter(month + 1);
      if (month == MonthTable.COUNT) {
        return NEVER;
      }
      matching = days.in(month);
    }
    long found = (long) MonthTable.firstDay(month) + Integer.numberOfTrailingZeros(matching);
    return found * DAY + times.first();
  }

  @Override
  public long atOrBefore(long local) {
    if (local < 0) {
      return NONE;
    }
    long from = Math.min(local, END - 1);
    int day = (int) (from / DAY);
    int month = MonthTable.containing(day);
    int dayOfMonth = day - MonthTable.firstDay(month);
    int matching = daysIn(month);
    if ((matching >>> dayOfMonth & 1) != 0) {
      int time = times.atOrBefore((int) (from - (long) day * DAY));
      if (time != TimesOfDay.NONE) {
        return (long) day * DAY + time;
      }
    }
    matching &= (1 << dayOfMonth) - 1;
    while (matching == 0) {
      month = months.atOrBefore(month - 1);
      if (month < 0) {
        return NONE;
      }
      matching = days.in(month);
    }
    long found = MonthTable.firstDay(month) + 31L - Integer.numberOfLeadingZeros(matching);
    return found * DAY + times.last();
  }

  @Override
  public long count(long from, long to) {
    long low = Math.max(from, 0);
    long high = Math.min(to, END);
    return low < high ? countBefore(high, low) - countBefore(low, low) : 0;
  }

  /** Count the matches before {@code local}, from midnight of the day of {@code origin}. */
  private long countBefore(long local, long origin) {
    int day = (int) (local / DAY);
    long whole = (long) times.perDay() * countDays((int) (origin / DAY), day);
    int time = (int) (local - (long) day * DAY);
    return time > 0 && matchesDay(day) ? whole + times.countBefore(time) : whole;
  }

  private long countDays(int from, int to) {
    if (from == to) {
      return 0;
    }
    long count = 0;
    int month = MonthTable.containing(from);
    int matching = daysIn(month) & -1 << (from - MonthTable.firstDay(month));
    while (month < MonthTable.COUNT
        && MonthTable.firstDay(month) + MonthTable.length(month) <= to) {
      count += Integer.bitCount(matching);
      month = months.atOrAfter(month + 1);
      matching = month == MonthTable.COUNT ? 0 : days.in(month);
    }
    if (month < MonthTable.COUNT && MonthTable.firstDay(month) < to) {
      count += Integer.bitCount(matching & ((1 << (to - MonthTable.firstDay(month))) - 1));
    }
    return count;
  }

  private boolean matchesDay(int day) {
    int month = MonthTable.containing(day);
    return (daysIn(month) >>> (day - MonthTable.firstDay(month)) & 1) != 0;
  }

  private int daysIn(int month) {
    return months.contains(month) ? days.in(month) : 0;
  }
}
