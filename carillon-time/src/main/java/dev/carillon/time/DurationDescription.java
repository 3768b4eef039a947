package dev.carillon.time;

import java.time.Duration;
import java.time.Period;
import java.util.StringJoiner;

/** Describes durations and periods in English: {@code 1 hour 30 minutes}, {@code minute}. */
final class DurationDescription {
  private DurationDescription() {}

  static String of(Duration duration) {
    var words = new StringJoiner(" ");
    add(words, duration.toDays(), "day");
    add(words, duration.toHoursPart(), "hour");
    add(words, duration.toMinutesPart(), "minute");
    add(words, duration.toSecondsPart(), "second");
    return withoutOne(words.toString());
  }

  static String of(Period period) {
    var words = new StringJoiner(" ");
    boolean weeks = period.getDays() % 7 == 0;
    add(words, period.getYears(), "year");
    add(words, period.getMonths(), "month");
    add(words, weeks ? period.getDays() / 7 : period.getDays(), weeks ? "week" : "day");
    return withoutOne(words.toString());
  }

  private static String withoutOne(String text) {
    return text.startsWith("1 ") && text.indexOf(' ', 2) < 0 ? text.substring(2) : text;
  }

  private static void add(StringJoiner words, long amount, String unit) {
    if (amount != 0) {
      words.add(amount + " " + unit + (amount == 1 ? "" : "s"));
    }
  }
}
