package dev.carillon.time;

import java.util.ArrayList;
import java.util.List;

/** Describes in English which days a cron expression matches. */
final class DayDescription {
  private static final List<String> NAMES =
      List.of("Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday");
  private static final List<String> WEEKS = List.of("first", "second", "third", "fourth", "fifth");
  private static final int WEEKDAYS = 0b011_1110;
  private static final int WEEKEND = 0b100_0001;

  private DayDescription() {}

  static String of(DayRule rule) {
    boolean anyDate = rule.monthDays().equals(MonthDays.EVERY);
    boolean anyWeekday = rule.weekDays().equals(WeekDays.EVERY);
    if (rule.either() ? anyDate || anyWeekday : anyDate && anyWeekday) {
      return "";
    }
    String dates = anyDate ? "" : dates(rule.monthDays());
    String weekdays = anyWeekday ? "" : weekdays(rule.weekDays());
    if (anyDate || anyWeekday) {
      return dates + weekdays;
    }
    return rule.either() ? dates + " or " + weekdays : dates + " if it falls " + weekdays;
  }

  private static String dates(MonthDays rule) {
    var parts = new ArrayList<String>();
    FieldValues days = FieldValues.of(rule.days(), 31);
    if (days.consecutive()) {
      parts.add(
          "the "
              + EnglishText.ordinal(days.first() + 1)
              + " to "
              + EnglishText.ordinal(days.last() + 1));
    } else if (days.step() > 0 && days.values().size() > 5) {
      parts.add("every " + EnglishText.ordinal(days.step()) + " day from the 1st");
    } else {
      days.values().forEach(day -> parts.add("the " + EnglishText.ordinal(day + 1)));
    }
    for (int day : FieldValues.of(rule.nearest(), 31).values()) {
      parts.add("the weekday nearest the " + EnglishText.ordinal(day + 1));
    }
    for (int before : FieldValues.of(rule.fromEnd(), 31).values()) {
      parts.add(fromEnd(before, "day"));
    }
    for (int before : FieldValues.of(rule.nearestFromEnd(), 31).values()) {
      parts.add(before == 0 ? "the last weekday" : "the weekday nearest " + fromEnd(before, "day"));
    }
    return "on " + EnglishText.and(parts) + " of the month";
  }

  private static String fromEnd(int before, String unit) {
    return before == 0
        ? "the last " + unit
        : "the " + EnglishText.ordinal(before + 1) + "-last " + unit;
  }

  private static String weekdays(WeekDays rule) {
    var parts = new ArrayList<String>();
    if (rule.days() == WEEKDAYS) {
      parts.add("weekdays");
    } else if (rule.days() == WEEKEND) {
      parts.add("weekends");
    } else {
      FieldValues days = FieldValues.of(rule.days(), 7);
      if (days.consecutive()) {
        parts.add(NAMES.get(days.first()) + " to " + NAMES.get(days.last()));
      } else {
        days.values().forEach(day -> parts.add(NAMES.get(day)));
      }
    }
    var numbered = new ArrayList<String>();
    for (int bit : FieldValues.of(rule.nth(), 35).values()) {
      numbered.add("the " + WEEKS.get(bit / 7) + " " + NAMES.get(bit % 7));
    }
    for (int day : FieldValues.of(rule.last(), 7).values()) {
      numbered.add("the last " + NAMES.get(day));
    }
    if (!numbered.isEmpty()) {
      parts.add(EnglishText.and(numbered) + " of the month");
    }
    return "on " + EnglishText.and(parts);
  }
}
