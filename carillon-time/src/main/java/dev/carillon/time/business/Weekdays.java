package dev.carillon.time.business;

import java.time.DayOfWeek;

/** The names of weekdays in English. */
final class Weekdays {
  private Weekdays() {}

  static String name(DayOfWeek day) {
    return switch (day) {
      case MONDAY -> "Monday";
      case TUESDAY -> "Tuesday";
      case WEDNESDAY -> "Wednesday";
      case THURSDAY -> "Thursday";
      case FRIDAY -> "Friday";
      case SATURDAY -> "Saturday";
      case SUNDAY -> "Sunday";
    };
  }

  static String shortName(DayOfWeek day) {
    return name(day).substring(0, 3);
  }
}
