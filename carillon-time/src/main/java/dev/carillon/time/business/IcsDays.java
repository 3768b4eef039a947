package dev.carillon.time.business;

import dev.carillon.time.InvalidValueException;
import java.time.LocalDate;
import java.time.MonthDay;
import java.util.SortedMap;
import java.util.TreeMap;

/** The holidays found so far, with a limit. */
final class IcsDays {
  /* Many events may name the same days, of many years. */
  private static final int MAX_ADDED = 100_000;
  private static final String AND = ", ";

  final SortedMap<LocalDate, String> single = new TreeMap<>();
  final SortedMap<MonthDay, String> yearly = new TreeMap<>();

  private int added;

  void add(LocalDate date, String name) {
    count();
    if (!date.isBefore(BusinessDays.FIRST) && !date.isAfter(BusinessDays.LAST)) {
      single.merge(date, name, IcsDays::joined);
      if (single.size() > CalendarCheck.MAX_HOLIDAYS) {
        throw new InvalidValueException(
            "ics",
            "at most %s holidays are possible; leave out years that are long past"
                .formatted(CalendarCheck.MAX_HOLIDAYS));
      }
    }
  }

  void add(MonthDay day, String name) {
    count();
    yearly.merge(day, name, IcsDays::joined);
  }

  private void count() {
    added++;
    if (added > MAX_ADDED) {
      throw new InvalidValueException(
          "ics", "all events together have more than %s days; leave some out".formatted(MAX_ADDED));
    }
  }

  private static String joined(String name, String other) {
    boolean known = other.isEmpty() || name.equals(other) || (name + AND).contains(other + AND);
    boolean fits = name.length() + other.length() + AND.length() <= CalendarCheck.MAX_NAME;
    return name.isEmpty() ? other : known || !fits ? name : name + AND + other;
  }
}
