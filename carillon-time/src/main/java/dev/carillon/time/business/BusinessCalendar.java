package dev.carillon.time.business;

import dev.carillon.time.Zones;
import java.time.DayOfWeek;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.MonthDay;
import java.time.ZoneId;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;

/**
 * Which days are business days, and which hours of them are working time, from 1970 to 2199.
 *
 * <p>Extra working days win over holidays and the weekend, holidays over half days. Without working
 * hours, business days are working time from midnight to midnight. Hours after midnight belong to
 * the day on which they began: the night shift of a Friday goes on into Saturday, whatever Saturday
 * is. An extra working day without hours of its own has those of its weekday or, if that has none,
 * of the last weekday before that has some.
 */
public final class BusinessCalendar {
  private final String name;
  private final CalendarContent content;
  private final List<BusinessCalendar> parts;
  private final CalendarHours hours;
  private final BusinessDays days;
  /* Business days with working time: not those whose hours the clocks skip altogether. */
  private final BusinessDays openDays;

  /* Nanoseconds; 0 if not computed yet. Computing it twice does no harm. */
  private volatile long longestClosure;

  BusinessCalendar(String name, CalendarContent content) {
    this.name = name;
    this.content = content;
    this.parts = List.of();
    this.hours = content.workingHours();
    BitSet marked = content.businessDays();
    this.days = new BusinessDays(marked);
    this.openDays = daysWithWorkingTime();
  }

  private BusinessCalendar(String name, List<BusinessCalendar> parts) {
    BusinessCalendar first = parts.get(0);
    this.name = name;
    this.content = first.content;
    this.parts = List.copyOf(parts);
    this.hours = first.hours;
    BitSet common = first.days.copy();
    parts.forEach(part -> common.and(part.days.copy()));
    this.days = new BusinessDays(common);
    this.openDays = daysWithWorkingTime();
  }

  private BusinessDays daysWithWorkingTime() {
    BitSet open = days.copy();
    ZoneChanges.of(content.zone()).shortened().stream()
        .filter(date -> open.get((int) date.toEpochDay()) && hours.rangesOn(date).isEmpty())
        .forEach(date -> open.clear((int) date.toEpochDay()));
    return open.cardinality() == days.size() ? days : new BusinessDays(open);
  }

  /** Begin a calendar with a weekend of Saturday and Sunday and whole business days. */
  public static BusinessCalendarBuilder named(String name, ZoneId zone) {
    return new BusinessCalendarBuilder(name, zone);
  }

  /**
   * Combine calendars: a date is a business day if it is one in all of them. Zone, working hours
   * and half days are those of the first.
   *
   * @throws dev.carillon.time.InvalidValueException if they have no business day in common for a
   *     year
   */
  public static BusinessCalendar combined(String name, List<BusinessCalendar> calendars) {
    CalendarCheck.combination(name, calendars);
    var combined = new BusinessCalendar(name, calendars);
    CalendarCheck.hasBusinessDays(
        combined, "calendars", "combine calendars that have business days in common");
    return combined;
  }

  /** Return its name. */
  public String name() {
    return name;
  }

  /** Return the zone of its dates and hours. */
  public ZoneId zone() {
    return content.zone();
  }

  /** Return the calendars that it combines; none if it combines none. */
  public List<BusinessCalendar> parts() {
    return parts;
  }

  /** Return the days of the weekend; of a combined calendar, those of its first. */
  public Set<DayOfWeek> weekend() {
    return content.weekend();
  }

  /** Return the holidays on single dates, with their names; of a combined one, of its first. */
  public SortedMap<LocalDate, String> holidays() {
    return content.holidays();
  }

  /** Return the holidays of every year, with their names; of a combined one, of its first. */
  public SortedMap<MonthDay, String> recurringHolidays() {
    return content.recurringHolidays();
  }

  /** Return the extra working days; of a combined calendar, those of its first. */
  public SortedMap<LocalDate, SpecialDay> extraWorkingDays() {
    return content.extraWorkingDays();
  }

  /** Return the half days; of a combined calendar, those of its first. */
  public SortedMap<LocalDate, SpecialDay> halfDays() {
    return content.halfDays();
  }

  /** Return the working hours by weekday; empty for whole business days. */
  public Map<DayOfWeek, List<HourSpan>> hours() {
    return content.hours();
  }

  /**
   * Return the last date for which its holidays are known, if there is one; of a combined calendar,
   * the earliest.
   */
  public Optional<LocalDate> coverageUntil() {
    return parts.isEmpty()
        ? content.coverageUntil()
        : parts.stream().flatMap(part -> part.coverageUntil().stream()).min(LocalDate::compareTo);
  }

  /** Return whether business days have working hours, rather than being working time as a whole. */
  public boolean hasHours() {
    return !hours.isWholeDays();
  }

  /** Return what {@code date} is, and why. */
  public Day day(LocalDate date) {
    for (BusinessCalendar part : parts) {
      Day day = part.day(date);
      if (!day.isBusiness()) {
        return day;
      }
    }
    return content.day(date, parts.isEmpty() ? name : parts.get(0).name);
  }

  /** Say why {@code date} is or is no business day, by which of the combined calendars. */
  String because(LocalDate date) {
    Day day = day(date);
    String which = parts.size() < 2 || day.isBusiness() ? "" : " (" + day.calendar() + ")";
    return day.because() + which;
  }

  /** Return whether its holidays are known for {@code date}: it is not after the coverage. */
  public boolean isCovered(LocalDate date) {
    return coverageUntil().map(last -> !date.isAfter(last)).orElse(true);
  }

  /** Return whether {@code date} is a business day. */
  public boolean isBusinessDay(LocalDate date) {
    return days.contains(date.toEpochDay());
  }

  /** Return the first business day after {@code date}; empty after the end of 2199. */
  public Optional<LocalDate> nextBusinessDay(LocalDate date) {
    return date(days.atOrAfter(date.toEpochDay() + 1));
  }

  /** Return the last business day before {@code date}; empty before 1970. */
  public Optional<LocalDate> previousBusinessDay(LocalDate date) {
    return date(days.atOrBefore(date.toEpochDay() - 1));
  }

  /**
   * Return the n-th business day after {@code date}, or before it if {@code n} is negative; with 0
   * the date itself. Empty if it is not from 1970 to 2199.
   */
  public Optional<LocalDate> plusBusinessDays(LocalDate date, int n) {
    return date(days.plus(date.toEpochDay(), n));
  }

  /** Count the business days from {@code from} up to, not including, {@code to}. */
  public int businessDaysBetween(LocalDate from, LocalDate to) {
    return Math.max(0, days.before(to.toEpochDay()) - days.before(from.toEpochDay()));
  }

  /** Return the date for {@code date} by {@code roll}; empty if there is none. */
  public Optional<LocalDate> roll(LocalDate date, Roll roll) {
    return date(roll.apply(days, date.toEpochDay()));
  }

  private static Optional<LocalDate> date(long day) {
    return day == BusinessDays.NONE ? Optional.empty() : Optional.of(LocalDate.ofEpochDay(day));
  }

  /** Return the hours of {@code date} by the clock, in order; none if it is no business day. */
  public List<HourSpan> hoursOn(LocalDate date) {
    return isBusinessDay(date) ? hours.on(date) : List.of();
  }

  /**
   * Return the working time that begins on {@code date}, in order; none if it is no business day.
   * Clock changes make it shorter or longer than by the clock.
   */
  public List<TimeRange> workingTime(LocalDate date) {
    return isBusinessDay(date) ? hours.rangesOn(date) : List.of();
  }

  /** Return whether {@code instant} is in working time. */
  public boolean isWorkingTime(Instant instant) {
    return workingDay(instant).isPresent();
  }

  /** Return the business day to whose working time {@code instant} belongs, if it does. */
  public Optional<LocalDate> workingDay(Instant instant) {
    long day = dayOf(instant);
    if (day < -1 || day > BusinessDays.END) {
      return Optional.empty();
    }
    if (hours.isWholeDays()) {
      return days.contains(day) ? date(day) : Optional.empty();
    }
    if (isWorking(day, instant)) {
      return date(day);
    }
    return hours.crossesMidnight() && isWorking(day - 1, instant)
        ? date(day - 1)
        : Optional.empty();
  }

  private boolean isWorking(long day, Instant instant) {
    return days.contains(day) && hours.containing(LocalDate.ofEpochDay(day), instant).isPresent();
  }

  /**
   * Return {@code instant} if it is in working time, else when working time begins next; empty if
   * it does not until the end of 2199.
   */
  public Optional<Instant> nextWorkingTime(Instant instant) {
    return isWorkingTime(instant) ? Optional.of(instant) : nextOpening(instant);
  }

  /** Return when working time begins next after {@code instant}, which is in none. */
  Optional<Instant> nextOpening(Instant instant) {
    for (long day = openDays.atOrAfter(dayOf(instant));
        day != BusinessDays.NONE;
        day = openDays.atOrAfter(day + 1)) {
      for (TimeRange range : hours.rangesOn(LocalDate.ofEpochDay(day))) {
        if (range.start().isAfter(instant)) {
          return Optional.of(range.start());
        }
      }
    }
    return Optional.empty();
  }

  /** Return the epoch day of {@code instant} in the zone of this calendar, or one out of range. */
  long dayOf(Instant instant) {
    long second = instant.getEpochSecond();
    if (second < -10L * HourSpan.DAY_SECONDS
        || second > (BusinessDays.END + 10L) * HourSpan.DAY_SECONDS) {
      return Math.floorDiv(second, HourSpan.DAY_SECONDS);
    }
    return Math.floorDiv(
        second + content.zone().getRules().getOffset(instant).getTotalSeconds(),
        HourSpan.DAY_SECONDS);
  }

  BusinessDays days() {
    return days;
  }

  BusinessDays openDays() {
    return openDays;
  }

  /** Return the longest time between two stretches of working time. */
  Duration longestClosure() {
    if (longestClosure == 0) {
      longestClosure = findLongestClosure().toNanos();
    }
    return Duration.ofNanos(longestClosure);
  }

  private Duration findLongestClosure() {
    Duration longest = Duration.ofNanos(1);
    Instant closed = Zones.instant(BusinessDays.FIRST.atStartOfDay(), content.zone());
    for (long day = openDays.atOrAfter(0);
        day != BusinessDays.NONE;
        day = openDays.atOrAfter(day + 1)) {
      for (TimeRange range : hours.rangesOn(LocalDate.ofEpochDay(day))) {
        Duration closure = Duration.between(closed, range.start());
        longest = closure.compareTo(longest) > 0 ? closure : longest;
        closed = range.end();
      }
    }
    return longest;
  }

  @Override
  public boolean equals(Object other) {
    return this == other
        || (other instanceof BusinessCalendar that
            && name.equals(that.name)
            && days.equals(that.days)
            && content.equals(that.content)
            && parts.equals(that.parts));
  }

  @Override
  public int hashCode() {
    return 31 * name.hashCode() + days.size(); // few have the same name
  }

  @Override
  public String toString() {
    return name + " " + content.zone();
  }
}
