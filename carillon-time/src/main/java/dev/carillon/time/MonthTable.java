package dev.carillon.time;

import java.time.LocalDate;

/**
 * A table of the 2,760 months from January 1970 to December 2199, numbered from 0: a lookup costs
 * less than computing a date.
 */
final class MonthTable {
  static final int FIRST_YEAR = 1970;
  static final int LAST_YEAR = 2199;
  static final int COUNT = (LAST_YEAR - FIRST_YEAR + 1) * 12;

  /** Months per day times 2^20: the estimate is off by at most one month and avoids a division. */
  private static final long MONTHS_PER_DAY = 34_451;

  /** The epoch day on which each month begins, and the end of the last month. */
  private static final int[] BEGINS = begins();

  /** Weekday of the first of each month; Sunday is 0. */
  private static final byte[] WEEKDAYS = weekdays();

  private MonthTable() {}

  private static int[] begins() {
    var days = new int[COUNT + 1];
    for (int month = 0; month <= COUNT; month++) {
      days[month] = (int) LocalDate.of(FIRST_YEAR + month / 12, month % 12 + 1, 1).toEpochDay();
    }
    return days;
  }

  private static byte[] weekdays() {
    var weekdays = new byte[COUNT];
    for (int month = 0; month < COUNT; month++) {
      weekdays[month] = (byte) ((BEGINS[month] + 4) % 7); // 1970-01-01 was a Thursday
    }
    return weekdays;
  }

  /** The first epoch day after the last month. */
  static int endDay() {
    return BEGINS[COUNT];
  }

  /** Return the month that contains {@code epochDay}, which must be in the table. */
  static int containing(int epochDay) {
    int month = (int) ((epochDay * MONTHS_PER_DAY) >>> 20);
    if (BEGINS[month] > epochDay) {
      return month - 1;
    }
    return BEGINS[month + 1] <= epochDay ? month + 1 : month;
  }

  static int firstDay(int month) {
    return BEGINS[month];
  }

  static int length(int month) {
    return BEGINS[month + 1] - BEGINS[month];
  }

  /** Weekday of the first of {@code month}; Sunday is 0. */
  static int firstWeekday(int month) {
    return WEEKDAYS[month];
  }
}
