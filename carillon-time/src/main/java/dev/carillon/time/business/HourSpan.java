package dev.carillon.time.business;

import dev.carillon.time.InvalidValueException;
import java.time.LocalTime;

/**
 * A span of local time that begins on one day. It ends on the next day if {@code to} is not after
 * {@code from}: {@code 22:00-06:00}. An end of 00:00 is the end of the day, so {@code 00:00-00:00}
 * is the whole day.
 *
 * @param from the beginning, in whole seconds
 * @param to the end, exclusive, in whole seconds
 */
public record HourSpan(LocalTime from, LocalTime to) {
  /** The whole day. */
  public static final HourSpan DAY = new HourSpan(LocalTime.MIDNIGHT, LocalTime.MIDNIGHT);

  static final int DAY_SECONDS = 86_400;

  public HourSpan {
    WholeSecond.check("hours", from);
    WholeSecond.check("hours", to);
    if (from.equals(to) && !from.equals(LocalTime.MIDNIGHT)) {
      throw new InvalidValueException(
          "hours",
          "a span of hours must not be empty; was %s-%s; the whole day is 00:00-00:00"
              .formatted(from, to));
    }
  }

  /**
   * Parse a span such as {@code 09:00-17:30} or {@code 22:00-06:00}; {@code 24:00} may be its end.
   *
   * @throws InvalidValueException if it is none; the message shows how to write one
   */
  public static HourSpan parse(String text) {
    return HourSpanText.parse(text);
  }

  /** Return the span from {@code from} to {@code to}, such as {@code of("09:00", "17:00")}. */
  public static HourSpan of(String from, String to) {
    return parse(from + "-" + to);
  }

  /** Return whether it ends on the next day, after midnight. */
  public boolean crossesMidnight() {
    return endSecond() > DAY_SECONDS;
  }

  /** The beginning in seconds from the beginning of its day. */
  int startSecond() {
    return from.toSecondOfDay();
  }

  /** The end in seconds from the beginning of its day, by the clock. */
  int endSecond() {
    return to.toSecondOfDay() + (to.isAfter(from) ? 0 : DAY_SECONDS);
  }

  @Override
  public String toString() {
    return from + "-" + (to.equals(LocalTime.MIDNIGHT) ? "24:00" : to.toString());
  }
}
