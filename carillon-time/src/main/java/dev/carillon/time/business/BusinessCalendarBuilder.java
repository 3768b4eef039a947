package dev.carillon.time.business;

import java.time.DayOfWeek;
import java.time.LocalDate;
import java.time.LocalTime;
import java.time.MonthDay;
import java.time.ZoneId;
import java.util.Collection;
import java.util.Collections;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/** Collects what a calendar says; {@link #build} checks it. */
public final class BusinessCalendarBuilder {
  private final String name;
  private final ZoneId zone;
  private Set<DayOfWeek> weekend = EnumSet.of(DayOfWeek.SATURDAY, DayOfWeek.SUNDAY);
  private final TreeMap<LocalDate, String> holidays = new TreeMap<>();
  private final TreeMap<MonthDay, String> recurringHolidays = new TreeMap<>();
  private final TreeMap<LocalDate, SpecialDay> extraWorkingDays = new TreeMap<>();
  private final TreeMap<LocalDate, SpecialDay> halfDays = new TreeMap<>();
  private final Map<DayOfWeek, List<HourSpan>> hours = new EnumMap<>(DayOfWeek.class);
  private Optional<LocalDate> coverageUntil = Optional.empty();

  BusinessCalendarBuilder(String name, ZoneId zone) {
    this.name = name;
    this.zone = zone;
  }

  /** Let the weekend be these days, rather than Saturday and Sunday; none for no weekend. */
  public BusinessCalendarBuilder weekend(DayOfWeek... days) {
    return weekend(List.of(days));
  }

  /** Let the weekend be these days, rather than Saturday and Sunday; none for no weekend. */
  public BusinessCalendarBuilder weekend(Collection<DayOfWeek> days) {
    weekend = EnumSet.noneOf(DayOfWeek.class);
    weekend.addAll(days);
    return this;
  }

  /** Add a holiday on one date. */
  public BusinessCalendarBuilder holiday(LocalDate date, String holiday) {
    holidays.put(date, holiday);
    return this;
  }

  /** Add a holiday on this day of every year. */
  public BusinessCalendarBuilder holiday(MonthDay day, String holiday) {
    recurringHolidays.put(day, holiday);
    return this;
  }

  /** Make {@code date} a business day, even if it is a holiday or on the weekend. */
  public BusinessCalendarBuilder extraWorkingDay(LocalDate date, String reason) {
    return extraWorkingDay(date, SpecialDay.named(reason));
  }

  /** Make {@code date} a business day, even if it is a holiday or on the weekend. */
  public BusinessCalendarBuilder extraWorkingDay(LocalDate date, SpecialDay day) {
    extraWorkingDays.put(date, day);
    return this;
  }

  /** Let the working time of {@code date} end at {@code closes}. */
  public BusinessCalendarBuilder halfDay(LocalDate date, String reason, LocalTime closes) {
    return halfDay(date, SpecialDay.closing(reason, closes));
  }

  /** Give {@code date} other working hours. */
  public BusinessCalendarBuilder halfDay(LocalDate date, SpecialDay day) {
    halfDays.put(date, day);
    return this;
  }

  /** Set the working hours of these weekdays. */
  public BusinessCalendarBuilder hours(Collection<DayOfWeek> days, List<HourSpan> spans) {
    days.forEach(day -> hours.put(day, List.copyOf(spans)));
    return this;
  }

  /** Set the working hours from Monday to Friday, such as {@code "09:00-12:00", "13:00-17:00"}. */
  public BusinessCalendarBuilder weekdayHours(String... spans) {
    return hours(
        EnumSet.range(DayOfWeek.MONDAY, DayOfWeek.FRIDAY),
        List.of(spans).stream().map(HourSpan::parse).toList());
  }

  /** Set the working hours of one weekday, such as {@code "22:00-06:00"}. */
  public BusinessCalendarBuilder hours(DayOfWeek day, String... spans) {
    return hours(List.of(day), List.of(spans).stream().map(HourSpan::parse).toList());
  }

  /** Say up to which date the holidays are known. */
  public BusinessCalendarBuilder coverageUntil(LocalDate date) {
    coverageUntil = Optional.of(date);
    return this;
  }

  /**
   * Return the calendar.
   *
   * @throws dev.carillon.time.InvalidValueException if it is not valid; it names the field
   */
  public BusinessCalendar build() {
    var content =
        new CalendarContent(
            zone,
            Collections.unmodifiableSet(EnumSet.copyOf(weekend)),
            Collections.unmodifiableSortedMap(new TreeMap<>(holidays)),
            Collections.unmodifiableSortedMap(new TreeMap<>(recurringHolidays)),
            Collections.unmodifiableSortedMap(new TreeMap<>(extraWorkingDays)),
            Collections.unmodifiableSortedMap(new TreeMap<>(halfDays)),
            Collections.unmodifiableMap(new EnumMap<>(hours)),
            coverageUntil);
    CalendarCheck.content(name, content);
    var calendar = new BusinessCalendar(name, content);
    CalendarCheck.hasBusinessDays(calendar, "holidays", "remove some of them");
    CalendarCheck.specialHours(calendar);
    return calendar;
  }
}
