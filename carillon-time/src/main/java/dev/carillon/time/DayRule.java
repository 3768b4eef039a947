package dev.carillon.time;

/** The days of a month that match the day-of-month and day-of-week fields together. */
final class DayRule {
  static final DayRule EVERY = new DayRule(MonthDays.EVERY, WeekDays.EVERY, false);

  private final MonthDays monthDays;
  private final WeekDays weekDays;
  private final boolean either;

  /* The fields of a plain rule, cached since every month needs them. */
  private final boolean plain;
  private final int plainMonthDays;
  private final long plainWeekDays;

  /**
   * Combine the two day fields.
   *
   * @param either whether one of the two is enough, as in classic cron if both are restricted
   */
  DayRule(MonthDays monthDays, WeekDays weekDays, boolean either) {
    this.monthDays = monthDays;
    this.weekDays = weekDays;
    this.either = either;
    this.plain = monthDays.plain() && weekDays.plain();
    this.plainMonthDays = monthDays.days();
    this.plainWeekDays = weekDays.sixWeeks();
  }

  MonthDays monthDays() {
    return monthDays;
  }

  WeekDays weekDays() {
    return weekDays;
  }

  boolean either() {
    return either;
  }

  /** Return the matching days of {@code month} as a bit set; bit 0 is the 1st. */
  int in(int month) {
    int first = MonthTable.firstWeekday(month);
    int length = MonthTable.length(month);
    int byDate = plain ? plainMonthDays : monthDays.in(first, length);
    int byWeekday = plain ? (int) (plainWeekDays >>> first) : weekDays.in(first, length);
    return (either ? byDate | byWeekday : byDate & byWeekday) & (-1 >>> (32 - length));
  }
}
