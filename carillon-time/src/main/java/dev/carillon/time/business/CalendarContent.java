package dev.carillon.time.business;

import java.time.DayOfWeek;
import java.time.LocalDate;
import java.time.MonthDay;
import java.time.ZoneId;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;

/** What a calendar was made of. */
record CalendarContent(
    ZoneId zone,
    Set<DayOfWeek> weekend,
    SortedMap<LocalDate, String> holidays,
    SortedMap<MonthDay, String> recurringHolidays,
    SortedMap<LocalDate, SpecialDay> extraWorkingDays,
    SortedMap<LocalDate, SpecialDay> halfDays,
    Map<DayOfWeek, List<HourSpan>> hours,
    Optional<LocalDate> coverageUntil) {

  CalendarHours workingHours() {
    return new CalendarHours(zone, hours, extraWorkingDays, halfDays);
  }

  Day day(LocalDate date, String calendar) {
    if (date.isBefore(BusinessDays.FIRST) || date.isAfter(BusinessDays.LAST)) {
      return new Day(date, Day.Kind.UNKNOWN, "", calendar);
    }
    SpecialDay half = halfDays.get(date);
    SpecialDay extra = extraWorkingDays.get(date);
    if (half != null || extra != null) {
      return !exists(date, zone)
          ? new Day(date, Day.Kind.UNKNOWN, "", calendar)
          : half != null
              ? new Day(date, Day.Kind.HALF_DAY, half.name(), calendar)
              : new Day(
                  date, Day.Kind.EXTRA_WORKING_DAY, Objects.requireNonNull(extra).name(), calendar);
    }
    String holiday = holidays.get(date);
    if (holiday == null) {
      holiday = recurringHolidays.get(MonthDay.from(date));
    }
    if (holiday != null) {
      return new Day(date, Day.Kind.HOLIDAY, holiday, calendar);
    }
    if (weekend.contains(date.getDayOfWeek())) {
      return new Day(date, Day.Kind.WEEKEND, "", calendar);
    }
    Day.Kind kind = exists(date, zone) ? Day.Kind.BUSINESS : Day.Kind.UNKNOWN;
    return new Day(date, kind, "", calendar);
  }

  /** Return the epoch days that are business days. */
  BitSet businessDays() {
    BitSet days = weekdays();
    for (MonthDay holiday : recurringHolidays.keySet()) {
      for (int year = BusinessDays.FIRST.getYear(); year <= BusinessDays.LAST.getYear(); year++) {
        if (holiday.isValidYear(year)) {
          days.clear((int) holiday.atYear(year).toEpochDay());
        }
      }
    }
    holidays.keySet().forEach(date -> days.clear((int) date.toEpochDay()));
    extraWorkingDays.keySet().forEach(date -> days.set((int) date.toEpochDay()));
    ZoneChanges.of(zone).shortened().stream()
        .filter(date -> !exists(date, zone))
        .forEach(date -> days.clear((int) date.toEpochDay()));
    return days;
  }

  /* All days but weekends. The pattern of a week repeats after seven words. */
  private BitSet weekdays() {
    var words = new long[(BusinessDays.END >> 6) + 1];
    for (int day = 0; day < 7 * 64; day++) {
      DayOfWeek weekday = LocalDate.ofEpochDay(day).getDayOfWeek();
      words[day >> 6] |= weekend.contains(weekday) ? 0 : 1L << day;
    }
    for (int word = 7; word < words.length; word++) {
      words[word] = words[word - 7];
    }
    BitSet days = BitSet.valueOf(words);
    days.clear(BusinessDays.END, days.size());
    return days;
  }

  /* A zone that changes sides of the date line skips a date: Samoa had no 30 December 2011. */
  private static boolean exists(LocalDate date, ZoneId zone) {
    return date.atStartOfDay(zone).toLocalDate().equals(date);
  }
}
