package dev.carillon.time;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/** Describes in English when a cron expression fires. */
final class CronWords {
  private static final int MAX_CLOCK_TIMES = 6;

  private final Bits seconds;
  private final Bits minutes;
  private final Bits hours;

  private CronWords(DayTimes times) {
    seconds = Bits.of(times.seconds(), 60);
    minutes = Bits.of(times.minutes(), 60);
    hours = Bits.of(times.hours(), 24);
  }

  static String of(LocalSlots slots) {
    String times = new CronWords(slots.times()).times();
    String days = DayWords.of(slots.days());
    String months = MonthWords.of(slots.months());
    if (days.isEmpty() && times.matches("at \\d.*")) {
      days = "every day";
    }
    String text =
        List.of(times, days, months).stream()
            .filter(part -> !part.isEmpty())
            .collect(Collectors.joining(" "));
    return Character.toUpperCase(text.charAt(0)) + text.substring(1);
  }

  private String times() {
    if (seconds.single() && listsClockTimes()) {
      return "at " + Words.and(clockTimes());
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
  private static String frequency(Bits values, String unit, String whole) {
    int step = values.step();
    if (step > 0) {
      return Words.every(step, unit) + restartNote(values, whole);
    }
    return "at " + unit + "s " + numbers(values) + " of " + Words.every(1, whole);
  }

  private String minutesOfSeconds() {
    if (minutes.all()) {
      return "";
    }
    if (minutes.step() > 0 && minutes.values().size() > 3) {
      return " in every " + Words.ordinal(minutes.step()) + " minute";
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
        ? " of " + Words.every(hours.step(), "hour") + restartNote(hours, "day")
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
        ? Words.every(hours.step(), "hour") + restartNote(hours, "day")
        : "in the hours " + numbers(hours);
  }

  private static String restartNote(Bits values, String whole) {
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

  private static String numbers(Bits values) {
    return values.consecutive()
        ? values.first() + " to " + values.last()
        : Words.and(values.values().stream().map(String::valueOf).toList());
  }

  private static String clock(int hour, int minute, int second) {
    String time = Words.twoDigits(hour) + ":" + Words.twoDigits(minute);
    return second == 0 ? time : time + ":" + Words.twoDigits(second);
  }
}
