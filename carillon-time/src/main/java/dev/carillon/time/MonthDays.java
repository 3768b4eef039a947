package dev.carillon.time;

/**
 * The day-of-month field. All parts are bit sets.
 *
 * @param days days by number; bit 0 is the 1st
 * @param fromEnd {@code L-n}; bit n, so bit 0 is {@code L}
 * @param nearest {@code nW}; bit 0 is {@code 1W}
 * @param nearestFromEnd {@code L-nW}; bit n, so bit 0 is {@code LW}
 */
record MonthDays(int days, int fromEnd, int nearest, int nearestFromEnd) {
  static final MonthDays EVERY = new MonthDays(-1 >>> 1, 0, 0, 0);

  private static final WeekDays SATURDAYS = new WeekDays(1 << 6, 0, 0);
  private static final WeekDays SUNDAYS = new WeekDays(1, 0, 0);

  boolean plain() {
    return (fromEnd | nearest | nearestFromEnd) == 0;
  }

  /** Return the matching days of a month as a bit set; days past its end may be set, too. */
  int in(int firstWeekday, int length) {
    if (plain()) {
      return days;
    }
    int wanted = (nearest & (-1 >>> (32 - length))) | fromStart(nearestFromEnd, length);
    return days | fromStart(fromEnd, length) | toWorkdays(wanted, firstWeekday, length);
  }

  /** Convert days counted from the end of the month to days of the month. */
  private static int fromStart(int counted, int length) {
    return Integer.reverse(counted) >>> (32 - length);
  }

  /** Move weekend days to the nearest weekday, Monday to Friday, of the same month. */
  private static int toWorkdays(int wanted, int firstWeekday, int length) {
    int saturdays = wanted & SATURDAYS.in(firstWeekday, length);
    int sundays = wanted & SUNDAYS.in(firstWeekday, length);
    int firstDay = 1;
    int lastDay = 1 << (length - 1);
    return (wanted & ~saturdays & ~sundays)
        | (saturdays & ~firstDay) >>> 1
        | (saturdays & firstDay) << 2
        | (sundays & ~lastDay) << 1
        | (sundays & lastDay) >>> 2;
  }
}
