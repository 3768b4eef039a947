package dev.carillon.time;

/** Which days of a month match: day-of-month and day-of-week together. */
final class DayRule {
  static final DayRule EVERY = new DayRule(MonthDays.EVERY, WeekDays.EVERY, false);

  private final MonthDays monthDays;
  private final WeekDays weekDays;
  private final boolean either;

  /* What a plain rule needs of the two fields, close at hand: looked up for every month. */
  private final boolean plain;
  private final int dates;
  private final long weekdays;

  /**
   * Combine the two day fields.
   *
   * @param either whether one of the two is enough, as classic cron has it if both are restricted
   */
  DayRule(MonthDays monthDays, WeekDays weekDays, boolean either) {
    this.monthDays = monthDays;
    this.weekDays = weekDays;
    this.either = either;
    this.plain = monthDays.plain() && weekDays.plain();
    this.dates = monthDays.days();
    this.weekdays = weekDays.sixWeeks();
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
    int first = Months.firstWeekday(month);
    int length = Months.length(month);
    int byDate = plain ? dates : monthDays.in(first, length);
    int byWeekday = plain ? (int) (weekdays >>> first) : weekDays.in(first, length);
    return (either ? byDate | byWeekday : byDate & byWeekday) & (-1 >>> (32 - length));
  }
}
