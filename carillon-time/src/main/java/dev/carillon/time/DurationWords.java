package dev.carillon.time;

import java.time.Duration;
import java.util.StringJoiner;

/** Says a duration in English: {@code 1 hour 30 minutes}, or {@code minute} for exactly one. */
final class DurationWords {
  private DurationWords() {}

  static String of(Duration duration) {
    var words = new StringJoiner(" ");
    add(words, duration.toDays(), "day");
    add(words, duration.toHoursPart(), "hour");
    add(words, duration.toMinutesPart(), "minute");
    add(words, duration.toSecondsPart(), "second");
    String said = words.toString();
    return said.startsWith("1 ") && said.indexOf(' ', 2) < 0 ? said.substring(2) : said;
  }

  private static void add(StringJoiner words, long amount, String unit) {
    if (amount != 0) {
      words.add(amount + " " + unit + (amount == 1 ? "" : "s"));
    }
  }
}
