package dev.carillon.definition;

import dev.carillon.time.InvalidValueException;
import java.time.DateTimeException;
import java.time.DayOfWeek;
import java.time.LocalDate;
import java.time.LocalTime;
import java.time.MonthDay;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.function.Supplier;

/** How dates, times of day and weekdays are written in calendars and quiet hours. */
public final class DateText {
  private static final int MAX_SHOWN = 60;

  private DateText() {}

  /** Read a date, such as {@code 2026-12-25}. */
  public static LocalDate date(String text) {
    return read(text, "a date, such as 2026-12-25", () -> LocalDate.parse(text));
  }

  static LocalTime time(String text) {
    return read(text, "a time of day, such as 13:00", () -> LocalTime.parse(text));
  }

  static MonthDay day(String text) {
    return read(text, "a month and a day, such as 12-25", () -> MonthDay.parse("--" + text));
  }

  static String of(MonthDay day) {
    return day.toString().substring(2);
  }

  static DayOfWeek weekday(String text) {
    return Arrays.stream(DayOfWeek.values())
        .filter(day -> of(day).equals(text))
        .findFirst()
        .orElseThrow(() -> unknown(text));
  }

  static String of(DayOfWeek day) {
    return day.name().toLowerCase(Locale.ROOT);
  }

  private static InvalidValueException unknown(String text) {
    List<String> days = Arrays.stream(DayOfWeek.values()).map(DateText::of).toList();
    return new InvalidValueException(
        "'%s' is no weekday; use one of %s".formatted(shown(text), String.join(", ", days)));
  }

  private static <T> T read(String text, String what, Supplier<T> parser) {
    try {
      return parser.get();
    } catch (DateTimeException e) {
      throw new InvalidValueException("must be %s; was '%s'".formatted(what, shown(text)), e);
    }
  }

  private static String shown(String text) {
    return text.length() <= MAX_SHOWN ? text : text.substring(0, MAX_SHOWN) + "…";
  }
}
