package dev.carillon.time;

/**
 * The day-of-week field. All parts are bit sets in which bit 0 is Sunday.
 *
 * @param days weekdays, whichever week
 * @param nth {@code d#k}: seven bits for the first such day of the month, seven for the second, …
 * @param last {@code dL}: the last such day of the month
 */
record WeekDays(int days, long nth, int last) {
  static final WeekDays EVERY = new WeekDays(0b111_1111, 0, 0);

  private static final int WEEK = 0b111_1111;

  /** A seven-bit set times this is the set for six weeks on end. */
  private static final long SIX_WEEKS = 1L | 1L << 7 | 1L << 14 | 1L << 21 | 1L << 28 | 1L << 35;

  boolean plain() {
    return nth == 0 && last == 0;
  }

  /** Return the matching days of a month as a bit set; days past its end may be set, too. */
  int in(int firstWeekday, int length) {
    int found = (int) ((days * SIX_WEEKS) >>> firstWeekday);
    return plain() ? found : found | special(firstWeekday, length);
  }

  private int special(int firstWeekday, int length) {
    int found = 0;
    for (int day = 0; day < length; day++) {
      int weekday = (firstWeekday + day) % 7;
      int week = (int) (nth >>> (day / 7 * 7)) & WEEK;
      boolean inLastWeek = day >= length - 7;
      if ((week >>> weekday & 1) != 0 || (inLastWeek && (last >>> weekday & 1) != 0)) {
        found |= 1 << day;
      }
    }
    return found;
  }
}
