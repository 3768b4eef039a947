package dev.carillon.time;

import java.util.List;

/** Describes in English which months and years a cron expression matches. */
final class MonthWords {
  private static final List<String> NAMES =
      List.of(
          "January",
          "February",
          "March",
          "April",
          "May",
          "June",
          "July",
          "August",
          "September",
          "October",
          "November",
          "December");

  private MonthWords() {}

  static String of(MonthSet months) {
    if (months.every()) {
      return "";
    }
    String names = months(Bits.of(months.names(), 12));
    String years =
        years(months.years().stream().map(year -> year + Months.FIRST_YEAR).boxed().toList());
    return names + (names.isEmpty() || years.isEmpty() ? "" : " ") + years;
  }

  private static String months(Bits months) {
    if (months.all()) {
      return "";
    }
    return months.consecutive()
        ? "from " + NAMES.get(months.first()) + " to " + NAMES.get(months.last())
        : "in " + Words.and(months.values().stream().map(NAMES::get).toList());
  }

  private static String years(List<Integer> years) {
    int first = years.get(0);
    int last = years.get(years.size() - 1);
    boolean run = years.size() > 2 && last - first == years.size() - 1;
    if (run && first == Months.FIRST_YEAR && last == Months.LAST_YEAR) {
      return "";
    }
    return run
        ? "from " + first + " to " + last
        : "in " + Words.and(years.stream().map(String::valueOf).toList());
  }
}
