package dev.carillon.server.api;

import dev.carillon.model.CalendarDefinition;
import dev.carillon.server.read.ContractText;
import dev.carillon.time.Zones;
import dev.carillon.time.business.BusinessCalendar;
import dev.carillon.time.business.BusinessCalendarBuilder;
import dev.carillon.time.business.IcsHolidays;
import java.time.DayOfWeek;
import java.time.LocalDate;
import java.time.MonthDay;
import java.time.ZoneId;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.stream.Collectors;

/**
 * Holidays to be added to a calendar.
 *
 * @param source where they come from, in words
 * @param holidays those on single dates
 * @param recurring those of every year
 * @param years the years of which they are
 * @param listedUntil the last year of which all are known; empty if all of {@code years} are
 * @param weekend the weekend of a new calendar, if it is known
 * @param ignored how many entries of a file became no holiday
 * @param notes what else there is to say
 */
record HolidayImport(
    String source,
    SortedMap<LocalDate, String> holidays,
    SortedMap<MonthDay, String> recurring,
    SortedSet<Integer> years,
    Optional<Integer> listedUntil,
    Optional<Set<DayOfWeek>> weekend,
    int ignored,
    List<String> notes) {

  static HolidayImport of(IcsHolidays file) {
    return new HolidayImport(
        "an iCalendar file with %s events".formatted(file.events()),
        file.holidays(),
        file.recurringHolidays(),
        file.years(),
        Optional.empty(),
        Optional.empty(),
        file.ignored(),
        file.reasons());
  }

  /**
   * Return how long the holidays of a calendar that were known until {@code known} are known then.
   */
  HolidayCoverage coverage(Optional<LocalDate> known, LocalDate today) {
    SortedSet<Integer> whole = listedUntil.map(last -> years.headSet(last + 1)).orElse(years);
    Optional<LocalDate> least =
        listedUntil.filter(last -> whole.isEmpty()).map(last -> LocalDate.of(last, 12, 31));
    return HolidayCoverage.of(known.or(() -> least), whole, today);
  }

  /**
   * Return a calendar with these holidays.
   *
   * @param before what there is; empty for a new one
   * @param zone the zone of a new one
   * @param replace whether holidays that there are in the same years are left out
   * @param coverage how long its holidays are known then
   */
  CalendarDefinition into(
      String name,
      Optional<CalendarDefinition> before,
      Optional<ZoneId> zone,
      boolean replace,
      HolidayCoverage coverage) {
    Optional<BusinessCalendar> own = before.flatMap(CalendarDefinition::own);
    BusinessCalendarBuilder calendar =
        BusinessCalendar.named(
            name, own.map(BusinessCalendar::zone).or(() -> zone).orElseGet(() -> Zones.of("UTC")));
    own.ifPresentOrElse(
        known -> copy(known, calendar, replace), () -> weekend.ifPresent(calendar::weekend));
    holidays.forEach(calendar::holiday);
    recurring.forEach(calendar::holiday);
    coverage.until().ifPresent(calendar::coverageUntil);
    return CalendarDefinition.of(calendar.build())
        .describedAs(before.map(CalendarDefinition::description).orElse(""));
  }

  /** Say that {@code calendar} keeps another weekend than that of the country, if it does. */
  Optional<String> otherWeekend(CalendarDefinition calendar) {
    return weekend.flatMap(
        there ->
            calendar
                .own()
                .map(BusinessCalendar::weekend)
                .filter(kept -> !kept.equals(there))
                .map(
                    kept ->
                        "the weekend of the country is %s; the calendar keeps %s"
                            .formatted(words(there), kept.isEmpty() ? "none" : words(kept))));
  }

  private static String words(Set<DayOfWeek> days) {
    return days.stream().sorted().map(ContractText::word).collect(Collectors.joining(" and "));
  }

  private void copy(BusinessCalendar known, BusinessCalendarBuilder calendar, boolean replace) {
    calendar.weekend(known.weekend());
    known.holidays().entrySet().stream()
        .filter(day -> !replace || !years.contains(day.getKey().getYear()))
        .forEach(day -> calendar.holiday(day.getKey(), day.getValue()));
    known.recurringHolidays().forEach(calendar::holiday);
    known.extraWorkingDays().forEach(calendar::extraWorkingDay);
    known.halfDays().forEach(calendar::halfDay);
    known.hours().forEach((day, spans) -> calendar.hours(List.of(day), spans));
  }
}
