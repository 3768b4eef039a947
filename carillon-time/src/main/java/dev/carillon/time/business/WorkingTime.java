package dev.carillon.time.business;

import dev.carillon.time.InvalidValueException;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.util.List;
import java.util.Optional;

/**
 * Arithmetic in working time: eight hours from Friday at 15:00, with working hours from 09:00 to
 * 17:00, end on Monday at 15:00. Time is what passes, so a day on which clocks change has more or
 * less of it.
 */
public final class WorkingTime {
  /** The longest duration accepted. */
  public static final Duration MAX_DURATION = Duration.ofDays(3_660);

  private WorkingTime() {}

  /**
   * Return the first instant by which {@code duration} of working time has passed since {@code
   * start}: at the end of working hours, not when they begin again. With a duration of zero, the
   * start itself.
   *
   * @throws InvalidValueException if the duration is negative or too long, or the end is after 2199
   */
  public static Instant plus(BusinessCalendar calendar, Instant start, Duration duration) {
    return end(calendar, start, duration, Long.MAX_VALUE)
        .orElseThrow(() -> beyond(calendar, duration, "after", start));
  }

  /**
   * Return the same, or {@code longest} after {@code start} if that comes first: for a calendar
   * that may have less working time by now than when the duration was chosen.
   *
   * @throws InvalidValueException if the duration is negative or too long
   */
  public static Instant plus(
      BusinessCalendar calendar, Instant start, Duration duration, Duration longest) {
    Instant latest = start.plus(longest);
    return end(calendar, start, duration, calendar.dayOf(latest))
        .filter(latest::isAfter)
        .orElse(latest);
  }

  /* Empty if it does not end on a working day up to `last`. */
  private static Optional<Instant> end(
      BusinessCalendar calendar, Instant start, Duration duration, long last) {
    check(duration);
    Duration left = duration;
    if (left.isZero()) {
      return Optional.of(start);
    }
    BusinessDays days = calendar.openDays();
    for (long day = days.atOrAfter(Math.max(0, calendar.dayOf(start) - 1));
        day != BusinessDays.NONE && day <= last;
        day = days.atOrAfter(day + 1)) {
      for (TimeRange range : calendar.workingTime(LocalDate.ofEpochDay(day))) {
        if (range.end().isAfter(start)) {
          Instant from = range.start().isAfter(start) ? range.start() : start;
          Duration here = Duration.between(from, range.end());
          if (here.compareTo(left) >= 0) {
            return Optional.of(from.plus(left));
          }
          left = left.minus(here);
        }
      }
    }
    return Optional.empty();
  }

  /**
   * Return the last instant from which {@code duration} of working time passes until {@code end}:
   * when working hours begin, not at the end of those before.
   *
   * @throws InvalidValueException if the duration is negative or too long, or the start is before
   *     1970
   */
  public static Instant minus(BusinessCalendar calendar, Instant end, Duration duration) {
    check(duration);
    Duration left = duration;
    if (left.isZero()) {
      return end;
    }
    BusinessDays days = calendar.openDays();
    for (long day = days.atOrBefore(calendar.dayOf(end));
        day != BusinessDays.NONE;
        day = days.atOrBefore(day - 1)) {
      List<TimeRange> ranges = calendar.workingTime(LocalDate.ofEpochDay(day));
      for (int i = ranges.size() - 1; i >= 0; i--) {
        TimeRange range = ranges.get(i);
        if (range.start().isBefore(end)) {
          Instant to = range.end().isBefore(end) ? range.end() : end;
          Duration here = Duration.between(range.start(), to);
          if (here.compareTo(left) >= 0) {
            return to.minus(left);
          }
          left = left.minus(here);
        }
      }
    }
    throw beyond(calendar, duration, "before", end);
  }

  /** Return the working time from {@code start} to {@code end}; negative if they are reversed. */
  public static Duration between(BusinessCalendar calendar, Instant start, Instant end) {
    if (end.isBefore(start)) {
      return between(calendar, end, start).negated();
    }
    Duration sum = Duration.ZERO;
    long last = calendar.dayOf(end);
    BusinessDays days = calendar.openDays();
    for (long day = days.atOrAfter(Math.max(0, calendar.dayOf(start) - 1));
        day != BusinessDays.NONE && day <= last;
        day = days.atOrAfter(day + 1)) {
      for (TimeRange range : calendar.workingTime(LocalDate.ofEpochDay(day))) {
        Instant from = range.start().isAfter(start) ? range.start() : start;
        Instant to = range.end().isBefore(end) ? range.end() : end;
        if (from.isBefore(to)) {
          sum = sum.plus(Duration.between(from, to));
        }
      }
    }
    return sum;
  }

  private static void check(Duration duration) {
    if (duration.isNegative() || duration.compareTo(MAX_DURATION) > 0) {
      throw new InvalidValueException(
          "a duration of working time must be from 0s to %sd; was %s"
              .formatted(MAX_DURATION.toDays(), duration));
    }
  }

  private static InvalidValueException beyond(
      BusinessCalendar calendar, Duration duration, String direction, Instant from) {
    return new InvalidValueException(
        "calendar '%s' has no %s of working time %s %s; calendars know the years 1970 to 2199"
            .formatted(calendar.name(), duration, direction, from));
  }
}
