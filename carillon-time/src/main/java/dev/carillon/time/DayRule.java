package dev.carillon.time;

/**
 * Which days of a month match: day-of-month and day-of-week together.
 *
 * @param monthDays the day-of-month field
 * @param weekDays the day-of-week field
 * @param either whether one of the two is enough, as classic cron has it when both are restricted
 */
record DayRule(MonthDays monthDays, WeekDays weekDays, boolean either) {
  static final DayRule EVERY = new DayRule(MonthDays.EVERY, WeekDays.EVERY, false);

  /** Return the matching days of {@code month} as a bit set; bit 0 is the 1st. */
  int in(int month) {
    int first = Months.firstWeekday(month);
    int length = Months.length(month);
    int byDate = monthDays.in(first, length);
    int byWeekday = weekDays.in(first, length);
    return (either ? byDate | byWeekday : byDate & byWeekday) & (-1 >>> (32 - length));
  }
}
