package dev.carillon.time.business;

import dev.carillon.time.InvalidValueException;
import java.time.LocalDate;
import java.time.MonthDay;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/** The holidays found so far, with a limit. */
final class IcsDays {
  /* Many events may name the same days, of many years. */
  private static final int MAX_ADDED = 100_000;
  private static final String AND = ", ";

  final SortedMap<LocalDate, String> single = new TreeMap<>();
  final SortedMap<MonthDay, String> yearly = new TreeMap<>();

  private final SortedSet<Integer> listed = new TreeSet<>();
  private final SortedSet<Integer> repeated = new TreeSet<>();
  private int added;

  /** Add the date of an event that is not repeated. */
  void add(LocalDate date, String name) {
    if (put(date, name)) {
      listed.add(date.getYear());
    }
  }

  /** Add one of the dates of an event that is repeated. */
  void addRepeated(LocalDate date, String name, boolean endless) {
    if (put(date, name) && !endless) {
      repeated.add(date.getYear());
    }
  }

  /**
   * Return the years that the file lists. A repetition goes on into years of which it says nothing
   * else, so it counts only where there is nothing but repetitions, and these end.
   */
  SortedSet<Integer> years() {
    return listed.isEmpty() ? repeated : listed;
  }

  private boolean put(LocalDate date, String name) {
    count();
    boolean possible = !date.isBefore(BusinessDays.FIRST) && !date.isAfter(BusinessDays.LAST);
    if (possible) {
      single.merge(date, name, IcsDays::joined);
      if (single.size() > CalendarCheck.MAX_HOLIDAYS) {
        throw new InvalidValueException(
            "ics",
            "at most %s holidays are possible; leave out years that are long past"
                .formatted(CalendarCheck.MAX_HOLIDAYS));
      }
    }
    return possible;
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
