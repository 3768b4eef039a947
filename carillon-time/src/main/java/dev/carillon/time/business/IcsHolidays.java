package dev.carillon.time.business;

import java.time.LocalDate;
import java.time.MonthDay;
import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Holidays that were read from an iCalendar file.
 *
 * @param holidays those on single dates, with their names
 * @param recurringHolidays those of every year, with their names
 * @param events how many events were read
 * @param ignored how many events became no holiday
 * @param reasons why, for the first of them, such as "line 12: has a time of day"
 */
public record IcsHolidays(
    SortedMap<LocalDate, String> holidays,
    SortedMap<MonthDay, String> recurringHolidays,
    int events,
    int ignored,
    List<String> reasons) {
  public IcsHolidays {
    holidays = Collections.unmodifiableSortedMap(new TreeMap<>(holidays));
    recurringHolidays = Collections.unmodifiableSortedMap(new TreeMap<>(recurringHolidays));
    reasons = List.copyOf(reasons);
  }

  /** Add all of them to a calendar. */
  public void addTo(BusinessCalendarBuilder calendar) {
    holidays.forEach(calendar::holiday);
    recurringHolidays.forEach(calendar::holiday);
  }
}
