package dev.carillon.time.business;

import java.time.DayOfWeek;
import java.time.Instant;
import java.time.zone.ZoneRules;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The windows and freezes of quiet hours as stretches of time, each for itself. */
final class QuietStretches {
  /* A clock change further away changes no window that is near. */
  private static final long FAR = 4L * HourSpan.DAY_SECONDS;

  private static final int THURSDAY = 3; // the weekday of day 0
  private static final int MINUTES = 24 * 60;

  private final QuietHours hours;
  private final WeeklyPattern pattern;
  private final ZoneRules rules;

  QuietStretches(QuietHours hours) {
    this.hours = hours;
    this.pattern = new WeeklyPattern(hours.windows());
    this.rules = hours.zone().getRules();
  }

  QuietHours hours() {
    return hours;
  }

  /** Return a stretch that contains {@code instant}, if one does. */
  Optional<QuietPeriod> containing(Instant instant) {
    for (Freeze freeze : hours.freezes()) {
      if (freeze.from().isAfter(instant)) {
        break;
      }
      if (instant.isBefore(freeze.until())) {
        return Optional.of(of(freeze));
      }
    }
    if (pattern.isEmpty() || isFreeByTheClock(instant)) {
      return Optional.empty();
    }
    for (QuietPeriod window : windowsNear(instant)) {
      if (!instant.isBefore(window.start()) && instant.isBefore(window.end())) {
        return Optional.of(window);
      }
    }
    return Optional.empty();
  }

  /* Far from clock changes, the clock alone says whether it is quiet. */
  private boolean isFreeByTheClock(Instant instant) {
    int offset = steadyOffset(instant);
    long minute = Math.floorDiv(instant.getEpochSecond() + offset, 60L) + THURSDAY * MINUTES;
    return offset != SteadyOffset.CHANGING
        && !pattern.contains((int) Math.floorMod(minute, (long) WeeklyPattern.WEEK));
  }

  /** Return the stretches that contain {@code instant}, end or begin there, and maybe more. */
  List<QuietPeriod> near(Instant instant) {
    var found = new ArrayList<QuietPeriod>();
    for (Freeze freeze : hours.freezes()) {
      if (!freeze.until().isBefore(instant)) {
        found.add(of(freeze));
      }
    }
    if (!pattern.isEmpty()) {
      found.addAll(windowsNear(instant));
    }
    return found;
  }

  private static QuietPeriod of(Freeze freeze) {
    String reason = freeze.reason().isEmpty() ? "" : ": " + freeze.reason();
    return new QuietPeriod(
        freeze.from(), freeze.until(), "frozen until " + freeze.until() + reason);
  }

  private List<QuietPeriod> windowsNear(Instant instant) {
    int steady = steadyOffset(instant);
    int offset =
        steady == SteadyOffset.CHANGING ? rules.getOffset(instant).getTotalSeconds() : steady;
    long today = Math.floorDiv(instant.getEpochSecond() + offset, (long) HourSpan.DAY_SECONDS);
    var found = new ArrayList<QuietPeriod>();
    for (long day = today - 2; day <= today + 1; day++) {
      DayOfWeek weekday = DayOfWeek.of((int) Math.floorMod(day + THURSDAY, 7L) + 1);
      for (QuietWindow window : hours.windows()) {
        if (window.days().contains(weekday)) {
          Instant start =
              SteadyOffset.instant(day, window.hours().startSecond(), steady, hours.zone());
          Instant end = SteadyOffset.instant(day, window.hours().endSecond(), steady, hours.zone());
          if (start.isBefore(end)) {
            found.add(new QuietPeriod(start, end, window.hours() + " is quiet"));
          }
        }
      }
    }
    return found;
  }

  /* The offset of the days around, if it does not change. */
  private int steadyOffset(Instant instant) {
    long second = instant.getEpochSecond();
    int before = SteadyOffset.between(rules, second - FAR, second);
    int after = SteadyOffset.between(rules, second, second + FAR);
    return before == after ? before : SteadyOffset.CHANGING;
  }
}
