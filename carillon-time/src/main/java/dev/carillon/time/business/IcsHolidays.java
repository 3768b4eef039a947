package dev.carillon.time.business;

import java.time.LocalDate;
import java.time.MonthDay;
import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Holidays that were read from an iCalendar file.
 *
 * @param holidays those on single dates, with their names
 * @param recurringHolidays those of every year, with their names
 * @param years the years whose holidays are listed; years that only a repetition goes on into do
 *     not count
 * @param events how many events were read
 * @param ignored how many events became no holiday
 * @param reasons why, for the first of them, such as "line 12: has a time of day"
 */
public record IcsHolidays(
    SortedMap<LocalDate, String> holidays,
    SortedMap<MonthDay, String> recurringHolidays,
    SortedSet<Integer> years,
    int events,
    int ignored,
    List<String> reasons) {
  public IcsHolidays {
    holidays = Collections.unmodifiableSortedMap(new TreeMap<>(holidays));
    recurringHolidays = Collections.unmodifiableSortedMap(new TreeMap<>(recurringHolidays));
    years = Collections.unmodifiableSortedSet(new TreeSet<>(years));
    reasons = List.copyOf(reasons);
  }

  /** Add all of them to a calendar. */
  public void addTo(BusinessCalendarBuilder calendar) {
    holidays.forEach(calendar::holiday);
    recurringHolidays.forEach(calendar::holiday);
  }
}
