package dev.carillon.time.business;

import java.time.DateTimeException;
import java.time.LocalDate;
import java.time.MonthDay;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/**
 * A rule that repeats a date by years.
 *
 * @param interval how many years apart
 * @param count how many there are; 0 for no limit
 * @param until the last date possible; {@link LocalDate#MAX} for no limit
 */
record IcsYearly(int interval, int count, LocalDate until) {
  private static final int MAX_PARTS = 16;

  /** Parse an {@code RRULE}; empty if it is not simply yearly on the date of {@code start}. */
  static Optional<IcsYearly> parse(String rule, LocalDate start) {
    boolean yearly = false;
    int interval = 1;
    int count = 0;
    LocalDate until = LocalDate.MAX;
    for (String part : rule.toUpperCase(Locale.ROOT).split(";", MAX_PARTS)) {
      int equals = part.indexOf('=');
      String value = part.substring(equals + 1).strip();
      switch (equals < 0 ? part : part.substring(0, equals).strip()) {
        case "FREQ" -> yearly = value.equals("YEARLY");
        case "INTERVAL" -> interval = number(value);
        case "COUNT" -> count = number(value);
        case "UNTIL" -> until = date(value);
        case "BYMONTH" -> yearly &= number(value) == start.getMonthValue();
        case "BYMONTHDAY" -> yearly &= number(value) == start.getDayOfMonth();
        case "WKST", "" -> {}
        default -> {
          return Optional.empty();
        }
      }
    }
    boolean readable = interval > 0 && count >= 0 && !until.equals(LocalDate.MIN);
    return yearly && readable
        ? Optional.of(new IcsYearly(interval, count, until))
        : Optional.empty();
  }

  /* Below 0 if it is none. */
  private static int number(String text) {
    boolean digits = !text.isEmpty() && text.length() <= 4;
    return digits && text.chars().allMatch(c -> c >= '0' && c <= '9') ? Integer.parseInt(text) : -1;
  }

  private static LocalDate date(String text) {
    int year = text.length() < 8 ? -1 : number(text.substring(0, 4));
    int month = year < 0 ? -1 : number(text.substring(4, 6));
    int day = month < 0 ? -1 : number(text.substring(6, 8));
    try {
      return day < 0 ? LocalDate.MIN : LocalDate.of(year, month, day);
    } catch (DateTimeException e) {
      return LocalDate.MIN;
    }
  }

  /** Add {@code date} and its repetitions without {@code exceptions}. */
  void addTo(IcsDays found, LocalDate date, String name, Set<LocalDate> exceptions) {
    MonthDay day = MonthDay.from(date);
    boolean endless = count == 0 && until.equals(LocalDate.MAX);
    if (endless && interval == 1 && exceptions.isEmpty()) {
      found.add(day, name);
      return;
    }
    int left = count == 0 ? Integer.MAX_VALUE : count;
    for (int year = date.getYear();
        year <= BusinessDays.LAST.getYear() && left > 0;
        year += interval) {
      if (day.isValidYear(year)) {
        LocalDate repeated = day.atYear(year);
        if (repeated.isAfter(until)) {
          return;
        }
        left--;
        if (!exceptions.contains(repeated)) {
          found.addRepeated(repeated, name, endless);
        }
      }
    }
  }
}
