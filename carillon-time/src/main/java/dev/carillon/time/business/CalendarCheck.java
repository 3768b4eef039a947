package dev.carillon.time.business;

import dev.carillon.time.InvalidValueException;
import dev.carillon.time.Zones;
import java.time.DayOfWeek;
import java.time.LocalDate;
import java.util.Collection;
import java.util.Collections;
import java.util.List;

/** Refuses calendars that cannot be meant, naming the field and the cure. */
final class CalendarCheck {
  static final int MAX_NAME = 200;
  static final int MAX_HOLIDAYS = 5_000;
  static final int MAX_SPECIAL_DAYS = 2_000;
  static final int MAX_SPANS = 12;
  static final int MAX_PARTS = 16;

  /** The longest time without a business day. */
  private static final int MAX_DAYS_OFF = 366;

  private CalendarCheck() {}

  static void content(String name, CalendarContent content) {
    name("name", name);
    if (name.isBlank()) {
      throw new InvalidValueException("name", "a calendar needs a name, such as 'it'");
    }
    Zones.check(content.zone());
    if (content.weekend().size() == 7) {
      throw new InvalidValueException(
          "weekend", "all seven days are weekend; leave out those that are worked on");
    }
    most("holidays", content.holidays().size(), MAX_HOLIDAYS);
    most("extraWorkingDays", content.extraWorkingDays().size(), MAX_SPECIAL_DAYS);
    most("halfDays", content.halfDays().size(), MAX_SPECIAL_DAYS);
    dates("holidays", content.holidays().keySet());
    dates("extraWorkingDays", content.extraWorkingDays().keySet());
    dates("halfDays", content.halfDays().keySet());
    content.coverageUntil().ifPresent(date -> dates("coverageUntil", List.of(date)));
    content.holidays().values().forEach(holiday -> name("holidays", holiday));
    content.recurringHolidays().values().forEach(holiday -> name("recurringHolidays", holiday));
    content.extraWorkingDays().values().forEach(day -> name("extraWorkingDays", day.name()));
    content.halfDays().values().forEach(day -> name("halfDays", day.name()));
    weeklyHours(content);
    halfDays(content);
  }

  static void combination(String name, List<BusinessCalendar> calendars) {
    name("name", name);
    if (calendars.isEmpty()) {
      throw new InvalidValueException("calendars", "name at least one calendar to combine");
    }
    most("calendars", calendars.size(), MAX_PARTS);
  }

  static void hasBusinessDays(BusinessCalendar calendar, String field, String cure) {
    BusinessDays days = calendar.openDays();
    boolean rare = days.size() == 0 || days.longestDaysOff() > MAX_DAYS_OFF;
    if (rare) {
      throw new InvalidValueException(
          field,
          "calendar '%s' has no business day for more than a year; %s"
              .formatted(calendar.name(), cure));
    }
  }

  private static void weeklyHours(CalendarContent content) {
    content.hours().forEach((day, spans) -> spans("hours", Weekdays.name(day), spans));
    if (content.hours().isEmpty()) {
      return;
    }
    for (DayOfWeek day : DayOfWeek.values()) {
      List<HourSpan> spans = content.hours().get(day);
      if (spans == null && !content.weekend().contains(day)) {
        throw new InvalidValueException(
            "hours",
            "%s has no hours; add some, or make it part of the weekend"
                .formatted(Weekdays.name(day)));
      }
      List<HourSpan> next = content.hours().get(day.plus(1));
      if (spans != null && next != null && overlap(spans, next)) {
        throw overlap("hours", Weekdays.name(day), Weekdays.name(day.plus(1)));
      }
    }
  }

  private static void halfDays(CalendarContent content) {
    content
        .halfDays()
        .forEach(
            (date, day) -> {
              Day.Kind kind = withoutHalfDays(content).day(date, "").kind();
              if (!kind.isBusiness()) {
                throw new InvalidValueException(
                    "halfDays",
                    "%s is no business day, so it is no half day; remove it, or add it to"
                            .formatted(date)
                        + " extraWorkingDays");
              }
              if (day.closes().isEmpty() && day.hours().isEmpty()) {
                throw new InvalidValueException(
                    "halfDays", "%s needs a time at which it closes, or hours".formatted(date));
              }
            });
    both("halfDays", content.halfDays().values());
    both("extraWorkingDays", content.extraWorkingDays().values());
    content.halfDays().forEach((date, day) -> spansIfAny("halfDays", date, day));
    content.extraWorkingDays().forEach((date, day) -> spansIfAny("extraWorkingDays", date, day));
  }

  private static CalendarContent withoutHalfDays(CalendarContent content) {
    return new CalendarContent(
        content.zone(),
        content.weekend(),
        content.holidays(),
        content.recurringHolidays(),
        content.extraWorkingDays(),
        Collections.emptySortedMap(),
        content.hours(),
        content.coverageUntil());
  }

  private static void both(String field, Collection<SpecialDay> days) {
    for (SpecialDay day : days) {
      if (day.closes().isPresent() && !day.hours().isEmpty()) {
        throw new InvalidValueException(
            field, "'%s' has hours and a time at which it closes; give one".formatted(day.name()));
      }
    }
  }

  private static void spansIfAny(String field, LocalDate date, SpecialDay day) {
    if (!day.hours().isEmpty()) {
      spans(field, date.toString(), day.hours());
    }
  }

  /** Check days with hours of their own against the days around them. */
  static void specialHours(BusinessCalendar calendar) {
    calendar.halfDays().keySet().forEach(date -> around(calendar, "halfDays", date));
    calendar
        .extraWorkingDays()
        .keySet()
        .forEach(date -> around(calendar, "extraWorkingDays", date));
  }

  private static void around(BusinessCalendar calendar, String field, LocalDate date) {
    if (calendar.isBusinessDay(date) && calendar.hoursOn(date).isEmpty()) {
      throw new InvalidValueException(
          field,
          "%s closes before it opens; give it hours, such as 22:00-02:00, or make it a holiday"
              .formatted(date));
    }
    for (LocalDate day : List.of(date.minusDays(1), date)) {
      if (overlap(calendar.hoursOn(day), calendar.hoursOn(day.plusDays(1)))) {
        throw overlap(field, day.toString(), day.plusDays(1).toString());
      }
    }
  }

  private static void spans(String field, String day, List<HourSpan> spans) {
    if (spans.isEmpty()) {
      throw new InvalidValueException(
          field, "%s has an empty list of hours; leave it out, or add hours".formatted(day));
    }
    most(field, spans.size(), MAX_SPANS);
    for (int i = 1; i < spans.size(); i++) {
      if (spans.get(i - 1).endSecond() > spans.get(i).startSecond()) {
        throw new InvalidValueException(
            field,
            "%s: %s and %s overlap or are not in order"
                .formatted(day, spans.get(i - 1), spans.get(i)));
      }
    }
  }

  private static boolean overlap(List<HourSpan> hours, List<HourSpan> next) {
    return !hours.isEmpty()
        && !next.isEmpty()
        && hours.get(hours.size() - 1).endSecond() - HourSpan.DAY_SECONDS
            > next.get(0).startSecond();
  }

  private static InvalidValueException overlap(String field, String day, String next) {
    return new InvalidValueException(
        field,
        "the hours of %s go on into those of %s; end them before, or begin those later"
            .formatted(day, next));
  }

  private static void dates(String field, Collection<LocalDate> dates) {
    for (LocalDate date : dates) {
      if (date.isBefore(BusinessDays.FIRST) || date.isAfter(BusinessDays.LAST)) {
        throw new InvalidValueException(field, "dates must be from 1970 to 2199; was " + date);
      }
    }
  }

  static void most(String field, int size, int most) {
    if (size > most) {
      throw new InvalidValueException(
          field, "at most %s are possible; were %s".formatted(most, size));
    }
  }

  private static void name(String field, String name) {
    if (name.length() > MAX_NAME) {
      throw new InvalidValueException(
          field,
          "a name has at most %s characters; this has %s: '%s…'"
              .formatted(MAX_NAME, name.length(), name.substring(0, 32)));
    }
    if (name.codePoints().anyMatch(Character::isISOControl)) {
      throw new InvalidValueException(field, "a name has no control characters and line ends");
    }
  }
}
