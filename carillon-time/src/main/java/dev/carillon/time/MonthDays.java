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

  boolean plain() {
    return (fromEnd | nearest | nearestFromEnd) == 0;
  }

  /** Return the matching days of a month as a bit set; days past its end may be set, too. */
  int in(int firstWeekday, int length) {
    return plain() ? days : days | special(firstWeekday, length);
  }

  private int special(int firstWeekday, int length) {
    int found = 0;
    for (int day = 0; day < length; day++) {
      int left = length - 1 - day;
      if ((fromEnd >>> left & 1) != 0) {
        found |= 1 << day;
      }
      if (((nearest >>> day | nearestFromEnd >>> left) & 1) != 0) {
        found |= 1 << nearestWorkday(day, firstWeekday, length);
      }
    }
    return found;
  }

  /** Return the day from Monday to Friday next to {@code day} that is in the same month. */
  private static int nearestWorkday(int day, int firstWeekday, int length) {
    int weekday = (firstWeekday + day) % 7;
    if (weekday == 6) {
      return day == 0 ? day + 2 : day - 1;
    }
    if (weekday == 0) {
      return day == length - 1 ? day - 2 : day + 1;
    }
    return day;
  }
}
