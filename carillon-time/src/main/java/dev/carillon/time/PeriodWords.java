package dev.carillon.time;

import java.time.Period;
import java.util.StringJoiner;

/** Says a period in English: {@code 2 months 3 days}, or {@code month} for exactly one. */
final class PeriodWords {
  private static final int WEEK = 7;

  private PeriodWords() {}

  static String of(Period period) {
    var words = new StringJoiner(" ");
    boolean weeks = period.getDays() % WEEK == 0;
    add(words, period.getYears(), "year");
    add(words, period.getMonths(), "month");
    add(words, weeks ? period.getDays() / WEEK : period.getDays(), weeks ? "week" : "day");
    String said = words.toString();
    return said.startsWith("1 ") && said.indexOf(' ', 2) < 0 ? said.substring(2) : said;
  }

  private static void add(StringJoiner words, int amount, String unit) {
    if (amount != 0) {
      words.add(amount + " " + unit + (amount == 1 ? "" : "s"));
    }
  }
}
