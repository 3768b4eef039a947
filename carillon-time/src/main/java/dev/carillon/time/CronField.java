package dev.carillon.time;

import java.util.List;

/** A field of a cron expression: its name, its range and the names of its values. */
enum CronField {
  SECOND("second", 0, 59, "minute", 60),
  MINUTE("minute", 0, 59, "hour", 60),
  HOUR("hour", 0, 23, "day", 24),
  DAY_OF_MONTH("day of month", 1, 31, "month", 31),
  MONTH(
      "month", 1, 12, "year", 12, "JAN", "FEB", "MAR", "APR", "MAY", "JUN", "JUL", "AUG", "SEP",
      "OCT", "NOV", "DEC"),
  DAY_OF_WEEK("day of week", 0, 7, "week", 7, "SUN", "MON", "TUE", "WED", "THU", "FRI", "SAT"),
  YEAR("year", MonthTable.FIRST_YEAR, MonthTable.LAST_YEAR, "", 0);

  final String label;
  final int min;
  final int max;

  /** The next larger unit, and the number of values in it: an hour has 60 minutes. */
  final String largerUnit;

  final int cycle;
  final List<String> names;

  final String stepHint;

  CronField(String label, int min, int max, String largerUnit, int cycle, String... names) {
    this.label = label;
    this.min = min;
    this.max = max;
    this.largerUnit = largerUnit;
    this.cycle = cycle;
    this.names = List.of(names);
    this.stepHint = "Use a step from 1 to " + max + ".";
  }

  /** The last value that {@code *} covers; weekday 7 is another name for 0. */
  int starMax() {
    return this == DAY_OF_WEEK ? 6 : max;
  }

  /** The last value that {@code H} without a range may choose: every month has 28 days. */
  int hashMax() {
    return this == DAY_OF_MONTH ? 28 : starMax();
  }

  String labelWithArticle() {
    return (this == HOUR ? "an " : "a ") + label;
  }

  String hint() {
    String range = "Use " + min + " to " + max;
    if (names.isEmpty()) {
      return range + ".";
    }
    String first = names.get(0);
    String last = names.get(names.size() - 1);
    String sunday = this == DAY_OF_WEEK ? " (0 and 7 are Sunday)" : "";
    return range + sunday + ", or " + first + " to " + last + ".";
  }
}
