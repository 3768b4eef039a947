package dev.carillon.time;

import java.util.List;

/** Describes in English which months and years a cron expression matches. */
final class MonthDescription {
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

  private MonthDescription() {}

  static String of(MonthSet months) {
    if (months.every()) {
      return "";
    }
    String names = months(FieldValues.of(months.names(), 12));
    String years =
        years(months.years().stream().map(year -> year + MonthTable.FIRST_YEAR).boxed().toList());
    return names + (names.isEmpty() || years.isEmpty() ? "" : " ") + years;
  }

  private static String months(FieldValues months) {
    if (months.all()) {
      return "";
    }
    return months.consecutive()
        ? "from " + NAMES.get(months.first()) + " to " + NAMES.get(months.last())
        : "in " + EnglishText.and(months.values().stream().map(NAMES::get).toList());
  }

  private static String years(List<Integer> years) {
    int first = years.get(0);
    int last = years.get(years.size() - 1);
    boolean run = years.size() > 2 && last - first == years.size() - 1;
    if (run && first == MonthTable.FIRST_YEAR && last == MonthTable.LAST_YEAR) {
      return "";
    }
    return run
        ? "from " + first + " to " + last
        : "in " + EnglishText.and(years.stream().map(String::valueOf).toList());
  }
}
