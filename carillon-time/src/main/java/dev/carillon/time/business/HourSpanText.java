package dev.carillon.time.business;

import dev.carillon.time.InvalidValueException;
import java.time.DateTimeException;
import java.time.LocalTime;

/** Reads spans of hours such as {@code 09:00-17:30}. */
final class HourSpanText {
  private static final int MAX_LENGTH = 17;

  private HourSpanText() {}

  static HourSpan parse(String text) {
    String bare = text.strip();
    int dash = bare.indexOf('-');
    if (dash < 0 || bare.length() > MAX_LENGTH) {
      throw refuse(bare);
    }
    String from = bare.substring(0, dash).strip();
    String to = bare.substring(dash + 1).strip();
    LocalTime start;
    LocalTime end;
    try {
      start = LocalTime.parse(from);
      end = to.equals("24:00") ? LocalTime.MIDNIGHT : LocalTime.parse(to);
    } catch (DateTimeException e) {
      throw refuse(bare);
    }
    return new HourSpan(start, end);
  }

  private static InvalidValueException refuse(String text) {
    String shown = text.length() <= 32 ? text : text.substring(0, 32) + "…";
    return new InvalidValueException(
        "'%s' is no span of hours; write it as 09:00-17:30, or 22:00-06:00 across midnight"
            .formatted(shown));
  }
}
