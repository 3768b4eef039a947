package dev.carillon.time;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/** Describes in English when a cron expression fires. */
final class CronDescription {
  private static final int MAX_CLOCK_TIMES = 6;

  private final FieldValues seconds;
  private final FieldValues minutes;
  private final FieldValues hours;

  private CronDescription(TimesOfDay times) {
    seconds = FieldValues.of(times.seconds(), 60);
    minutes = FieldValues.of(times.minutes(), 60);
    hours = FieldValues.of(times.hours(), 24);
  }

  static String of(CronLocalTimes slots) {
    String times = new CronDescription(slots.times()).times();
    String days = DayDescription.of(slots.days());
    String months = MonthDescription.of(slots.months());
    if (days.isEmpty() && saysClock(times)) {
      days = "every day";
    }
    String text =
        List.of(times, days, months).stream()
            .filter(part -> !part.isEmpty())
            .collect(Collectors.joining(" "));
    return Character.toUpperCase(text.charAt(0)) + text.substring(1);
  }

  private static boolean saysClock(String times) {
    return times.startsWith("at ") && times.length() > 3 && Character.isDigit(times.charAt(3));
  }

  private String times() {
    if (seconds.single() && listsClockTimes()) {
      return "at " + EnglishText.and(clockTimes());
    }
    if (!seconds.single()) {
      return frequency(seconds, "second", "minute") + minutesOfSeconds() + hoursBetween();
    }
    if (minutes.single()) {
      return hourly() + minutesPast();
    }
    return minutes.step() > 0
        ? frequency(minutes, "minute", "hour") + hoursBetween() + atSecond()
        : hourly() + minutesPast();
  }

  private boolean listsClockTimes() {
    boolean listed = !hours.all() && (hours.step() == 0 || hours.values().size() < 3);
    return listed
        && !(hours.consecutive() && minutes.single() && hours.values().size() > 3)
        && hours.values().size() * minutes.values().size() <= MAX_CLOCK_TIMES;
  }

  private List<String> clockTimes() {
    var times = new ArrayList<String>();
    for (int hour : hours.values()) {
      for (int minute : minutes.values()) {
        times.add(clock(hour, minute, seconds.first()));
      }
    }
    return times;
  }

  /** Describe how often {@code values} occur within the next larger unit. */
  private static String frequency(FieldValues values, String unit, String whole) {
    int step = values.step();
    if (step > 0) {
      return EnglishText.every(step, unit) + restartNote(values, whole);
    }
    return "at " + unit + "s " + numbers(values) + " of " + EnglishText.every(1, whole);
  }

  private String minutesOfSeconds() {
    if (minutes.all()) {
      return "";
    }
    if (minutes.step() > 0 && minutes.values().size() > 3) {
      return " in every " + EnglishText.ordinal(minutes.step()) + " minute";
    }
    String noun = minutes.single() ? " in minute " : " in minutes ";
    return noun + numbers(minutes);
  }

  private String hoursBetween() {
    if (hours.all()) {
      return "";
    }
    if (hours.single() || hours.consecutive()) {
      int lastSecond = seconds.single() ? 0 : seconds.last();
      return " from %s to %s"
          .formatted(
              clock(hours.first(), minutes.first(), seconds.single() ? 0 : seconds.first()),
              clock(hours.last(), minutes.last(), lastSecond));
    }
    return hours.step() > 0
        ? " of " + EnglishText.every(hours.step(), "hour") + restartNote(hours, "day")
        : " in the hours " + numbers(hours);
  }

  private String hourly() {
    if (hours.all()) {
      return "every hour";
    }
    if (hours.consecutive()) {
      int minute = minutes.single() ? minutes.first() : 0;
      return "every hour from %s to %s"
          .formatted(clock(hours.first(), minute, 0), clock(hours.last(), minute, 0));
    }
    return hours.step() > 0
        ? EnglishText.every(hours.step(), "hour") + restartNote(hours, "day")
        : "in the hours " + numbers(hours);
  }

  private static String restartNote(FieldValues values, String whole) {
    return values.even() ? "" : ", anew each " + whole;
  }

  /** Describe the minutes of the hours named before. */
  private String minutesPast() {
    boolean fullHour = minutes.single() && minutes.first() == 0;
    boolean inRange = hours.consecutive() && !hours.all() && minutes.single();
    String text =
        fullHour || inRange
            ? ""
            : ", at %s %s past"
                .formatted(
                    numbers(minutes),
                    minutes.single() && minutes.first() == 1 ? "minute" : "minutes");
    return text + atSecond();
  }

  private String atSecond() {
    int second = seconds.first();
    return second == 0 ? "" : ", at second " + second;
  }

  private static String numbers(FieldValues values) {
    return values.consecutive()
        ? values.first() + " to " + values.last()
        : EnglishText.and(values.values().stream().map(String::valueOf).toList());
  }

  private static String clock(int hour, int minute, int second) {
    String time = EnglishText.twoDigits(hour) + ":" + EnglishText.twoDigits(minute);
    return second == 0 ? time : time + ":" + EnglishText.twoDigits(second);
  }
}
