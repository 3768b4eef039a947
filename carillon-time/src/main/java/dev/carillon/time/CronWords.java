package dev.carillon.time;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/** Says in English when a cron expression fires. */
final class CronWords {
  private static final int MOST_CLOCK_TIMES = 6;

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
    String said =
        List.of(times, days, months).stream()
            .filter(part -> !part.isEmpty())
            .collect(Collectors.joining(" "));
    return Character.toUpperCase(said.charAt(0)) + said.substring(1);
  }

  private String times() {
    if (seconds.single() && fewClockTimes()) {
      return "at " + Words.and(clockTimes());
    }
    if (!seconds.single()) {
      return beat(seconds, "second", "minute") + minutesOfSeconds() + hoursBetween();
    }
    if (minutes.single()) {
      return hourly() + past();
    }
    return minutes.step() > 0
        ? beat(minutes, "minute", "hour") + hoursBetween() + atSecond()
        : hourly() + past();
  }

  private boolean fewClockTimes() {
    boolean listed = !hours.all() && (hours.step() == 0 || hours.values().size() < 3);
    return listed
        && !(hours.run() && minutes.single() && hours.values().size() > 3)
        && hours.values().size() * minutes.values().size() <= MOST_CLOCK_TIMES;
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

  /** How often something happens within the next larger unit. */
  private static String beat(Bits values, String unit, String whole) {
    int step = values.step();
    if (step > 0) {
      String uneven = values.steady() ? "" : ", anew each " + whole;
      return Words.every(step, unit) + uneven;
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
    if (hours.single() || hours.run()) {
      int lastSecond = seconds.single() ? 0 : seconds.last();
      return " from %s to %s"
          .formatted(
              clock(hours.first(), minutes.first(), seconds.single() ? 0 : seconds.first()),
              clock(hours.last(), minutes.last(), lastSecond));
    }
    return hours.step() > 0
        ? " of " + Words.every(hours.step(), "hour") + anew(hours, "day")
        : " in the hours " + numbers(hours);
  }

  private String hourly() {
    if (hours.all()) {
      return "every hour";
    }
    if (hours.run()) {
      int minute = minutes.single() ? minutes.first() : 0;
      return "every hour from %s to %s"
          .formatted(clock(hours.first(), minute, 0), clock(hours.last(), minute, 0));
    }
    return hours.step() > 0
        ? Words.every(hours.step(), "hour") + anew(hours, "day")
        : "in the hours " + numbers(hours);
  }

  private static String anew(Bits values, String whole) {
    return values.steady() ? "" : ", anew each " + whole;
  }

  /** Which minutes of the hours just named. */
  private String past() {
    boolean fullHour = minutes.single() && minutes.first() == 0;
    boolean saidByRange = hours.run() && !hours.all() && minutes.single();
    String said =
        fullHour || saidByRange
            ? ""
            : ", at %s %s past"
                .formatted(
                    numbers(minutes),
                    minutes.single() && minutes.first() == 1 ? "minute" : "minutes");
    return said + atSecond();
  }

  private String atSecond() {
    int second = seconds.first();
    return second == 0 ? "" : ", at second " + second;
  }

  private static String numbers(Bits values) {
    return values.run()
        ? values.first() + " to " + values.last()
        : Words.and(values.values().stream().map(String::valueOf).toList());
  }

  private static String clock(int hour, int minute, int second) {
    String time = Words.two(hour) + ":" + Words.two(minute);
    return second == 0 ? time : time + ":" + Words.two(second);
  }
}
