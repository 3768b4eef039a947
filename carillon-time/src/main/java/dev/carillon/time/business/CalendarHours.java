package dev.carillon.time.business;

import java.time.DayOfWeek;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalTime;
import java.time.ZoneId;
import java.time.zone.ZoneRules;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The working hours of the days of a calendar, provided that they are business days. */
final class CalendarHours {
  private static final List<HourSpan> WHOLE_DAY = List.of(HourSpan.DAY);

  private final ZoneId zone;
  private final ZoneRules rules;
  /* A weekday without hours has those of the one before: an extra Saturday is like a Friday. */
  private final Map<DayOfWeek, List<HourSpan>> weekly = new EnumMap<>(DayOfWeek.class);
  private final Map<Long, List<HourSpan>> special = new HashMap<>();
  private final boolean wholeDays;
  private final boolean crossesMidnight;

  CalendarHours(
      ZoneId zone,
      Map<DayOfWeek, List<HourSpan>> hours,
      Map<LocalDate, SpecialDay> extraDays,
      Map<LocalDate, SpecialDay> halfDays) {
    this.zone = zone;
    this.rules = zone.getRules();
    for (DayOfWeek weekday : DayOfWeek.values()) {
      weekly.put(weekday, ofWeekday(hours, weekday));
    }
    extraDays.forEach(this::addSpecial);
    halfDays.forEach(this::addSpecial);
    wholeDays = hours.isEmpty() && special.isEmpty();
    crossesMidnight =
        weekly.values().stream().anyMatch(CalendarHours::endsAfterMidnight)
            || special.values().stream().anyMatch(CalendarHours::endsAfterMidnight);
  }

  private static List<HourSpan> ofWeekday(Map<DayOfWeek, List<HourSpan>> hours, DayOfWeek weekday) {
    for (int back = 0; back < 7; back++) {
      List<HourSpan> found = hours.get(weekday.minus(back));
      if (found != null) {
        return found;
      }
    }
    return WHOLE_DAY;
  }

  private void addSpecial(LocalDate date, SpecialDay day) {
    List<HourSpan> usual = on(date);
    if (!day.hours().isEmpty()) {
      special.put(date.toEpochDay(), day.hours());
    } else if (day.closes().isPresent()) {
      special.put(date.toEpochDay(), cut(usual, day.closes().get()));
    }
  }

  private static List<HourSpan> cut(List<HourSpan> hours, LocalTime closes) {
    var left = new ArrayList<HourSpan>();
    for (HourSpan span : hours) {
      if (span.from().isBefore(closes)) {
        boolean late = span.endSecond() > closes.toSecondOfDay();
        left.add(late ? new HourSpan(span.from(), closes) : span);
      }
    }
    return List.copyOf(left);
  }

  private static boolean endsAfterMidnight(List<HourSpan> hours) {
    return hours.stream().anyMatch(HourSpan::crossesMidnight);
  }

  /** Return whether every business day is working time from midnight to midnight. */
  boolean isWholeDays() {
    return wholeDays;
  }

  /** Return whether a day may have working hours after its midnight. */
  boolean crossesMidnight() {
    return crossesMidnight;
  }

  /** Return the hours of {@code date}, in order. */
  List<HourSpan> on(LocalDate date) {
    List<HourSpan> own = special.get(date.toEpochDay());
    return own != null ? own : weekly.getOrDefault(date.getDayOfWeek(), WHOLE_DAY);
  }

  /** Return the hours of {@code date} as instants, without those that the clocks skip. */
  List<TimeRange> rangesOn(LocalDate date) {
    long day = date.toEpochDay();
    int steady =
        SteadyOffset.between(
            rules, (day - 1) * HourSpan.DAY_SECONDS, (day + 3) * HourSpan.DAY_SECONDS);
    List<HourSpan> hours = on(date);
    var ranges = new ArrayList<TimeRange>(hours.size());
    for (HourSpan span : hours) {
      Instant start = SteadyOffset.instant(day, span.startSecond(), steady, zone);
      Instant end = SteadyOffset.instant(day, span.endSecond(), steady, zone);
      if (start.isBefore(end)) {
        ranges.add(new TimeRange(start, end));
      }
    }
    return ranges;
  }

  /** Return the hours of {@code date} that contain {@code instant}, if any do. */
  Optional<TimeRange> containing(LocalDate date, Instant instant) {
    for (TimeRange range : rangesOn(date)) {
      if (range.contains(instant)) {
        return Optional.of(range);
      }
    }
    return Optional.empty();
  }
}
