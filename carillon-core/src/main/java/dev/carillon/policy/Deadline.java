package dev.carillon.policy;

import dev.carillon.time.InvalidValueException;
import dev.carillon.time.business.BusinessCalendar;
import dev.carillon.time.business.WorkingTime;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalTime;
import java.time.ZoneId;
import java.time.temporal.ChronoUnit;
import java.util.Optional;

/**
 * By when a run must be finished, and the target that runs once if it is not.
 *
 * @param after how long after it is due; empty if a time of day says when
 * @param at the time of day, on the clock of the schedule's zone; empty if a duration says when
 * @param calendar whose working time {@code after} counts; empty for time as it passes
 * @param escalateTo the label of the target that is told
 */
public record Deadline(
    Optional<Duration> after,
    Optional<LocalTime> at,
    Optional<String> calendar,
    String escalateTo) {
  /** The shortest and the longest time that a run can be given. */
  public static final Duration MIN_AFTER = Duration.ofSeconds(1);

  public static final Duration MAX_AFTER = Duration.ofDays(365);

  public Deadline {
    if (after.isPresent() == at.isPresent()) {
      throw new InvalidValueException(
          "a deadline has either after, such as PT1H, or at, such as 06:00");
    }
    if (after.isPresent()) {
      checkAfter(after.get());
    }
    if (calendar.isPresent() && at.isPresent()) {
      throw new InvalidValueException(
          "calendar", "a calendar counts working time, and so needs after, not at; leave it out");
    }
    at = at.map(time -> time.truncatedTo(ChronoUnit.SECONDS));
  }

  /** Demand an end within {@code after} of the time a run is due, or run {@code escalateTo}. */
  public static Deadline after(Duration after, String escalateTo) {
    return new Deadline(Optional.of(after), Optional.empty(), Optional.empty(), escalateTo);
  }

  /**
   * Demand an end by the first {@code time} of day after the slot, on the clock of the schedule's
   * zone, or run {@code escalateTo}.
   */
  public static Deadline at(LocalTime time, String escalateTo) {
    return new Deadline(Optional.empty(), Optional.of(time), Optional.empty(), escalateTo);
  }

  /** Return the same, counting only the working time of {@code calendar}. */
  public Deadline calendar(String calendar) {
    return new Deadline(after, at, Optional.of(calendar), escalateTo);
  }

  /** Read a time of day such as {@code 06:00} or {@code 06:00:30}. */
  public static LocalTime time(String text) {
    try {
      return LocalTime.parse(text);
    } catch (DateTimeException e) {
      throw new InvalidValueException("must be a time of day such as 06:00", e);
    }
  }

  /** Refuse a time that no run can be given. */
  public static Duration checkAfter(Duration after) {
    if (after.compareTo(MIN_AFTER) < 0 || after.compareTo(MAX_AFTER) > 0) {
      throw new InvalidValueException(
          "after", "a deadline is from 1s to 365d after a run is due; was " + after);
    }
    return after;
  }

  /**
   * Return by when a run must be finished.
   *
   * @param meant the planned time, from which a time of day is looked for: the slot, or what a
   *     calendar or quiet hours made of it
   * @param dueAt when the run may start, from which a duration counts
   * @param zone on whose clock the time of day is
   * @param working whose working time the duration counts, for a year at most; empty for time as it
   *     passes
   */
  public Instant of(Instant meant, Instant dueAt, ZoneId zone, Optional<BusinessCalendar> working) {
    return after
        .map(
            duration ->
                working
                    .map(calendar -> WorkingTime.plus(calendar, dueAt, duration, MAX_AFTER))
                    .orElseGet(() -> dueAt.plus(duration)))
        .orElseGet(() -> firstAfter(meant, at.orElseThrow(), zone));
  }

  private static Instant firstAfter(Instant meant, LocalTime time, ZoneId zone) {
    LocalDate day = meant.atZone(zone).toLocalDate();
    Instant sameDay = day.atTime(time).atZone(zone).toInstant();
    return sameDay.isAfter(meant) ? sameDay : day.plusDays(1).atTime(time).atZone(zone).toInstant();
  }
}
