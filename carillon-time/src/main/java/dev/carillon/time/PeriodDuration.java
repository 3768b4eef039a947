package dev.carillon.time;

import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.Period;
import java.time.ZoneId;
import java.time.zone.ZoneOffsetTransition;
import java.util.Locale;

/**
 * An amount of time as ISO 8601 writes it: years, months and days of the calendar, and hours,
 * minutes and seconds, such as {@code P1M}, {@code P1W}, {@code P1Y2M3D} or {@code P1DT2H}; or in
 * short, as {@link DurationText} has it.
 *
 * @param period the part that the calendar counts
 * @param time the part that clocks count
 */
public record PeriodDuration(Period period, Duration time) {
  private static final int LONGEST = 100;

  public PeriodDuration {
    if (period.getYears() < 0
        || period.getMonths() < 0
        || period.getDays() < 0
        || time.isNegative()) {
      throw new InvalidValueException(
          "an amount of time has no part below 0; was %s and %s".formatted(period, time));
    }
  }

  /** Return {@code duration} as an amount without a part that the calendar counts. */
  public static PeriodDuration of(Duration duration) {
    return new PeriodDuration(Period.ZERO, duration);
  }

  /**
   * Read an amount of time.
   *
   * @throws IllegalArgumentException if the text is none
   */
  public static PeriodDuration parse(String text) {
    String bare = text.strip();
    boolean iso = bare.startsWith("P") || bare.startsWith("p");
    try {
      if (iso && bare.length() <= LONGEST) {
        return read(bare.toUpperCase(Locale.ROOT));
      }
    } catch (DateTimeException | ArithmeticException e) {
      // falls through to the complaint below
    }
    try {
      return of(DurationText.parse(bare));
    } catch (InvalidValueException e) {
      throw new InvalidValueException(e.getMessage() + ", or a period such as P1W or P1M", e);
    }
  }

  private static PeriodDuration read(String text) {
    int clock = text.indexOf('T');
    if (clock < 0) {
      return of(Period.parse(text), Duration.ZERO);
    }
    String date = text.substring(0, clock);
    return of(
        date.equals("P") ? Period.ZERO : Period.parse(date),
        Duration.parse("P" + text.substring(clock)));
  }

  private static PeriodDuration of(Period period, Duration time) {
    return new PeriodDuration(period, time);
  }

  /** Tell whether it always lasts the same, days counted as 24 hours: no years, no months. */
  public boolean isFixed() {
    return period.toTotalMonths() == 0;
  }

  /**
   * Return how long it always lasts, days counted as 24 hours.
   *
   * @throws IllegalStateException if it does not: {@link #isFixed} tells
   */
  @SuppressWarnings("JavaPeriodGetDays") // there are no months
  public Duration fixed() {
    if (!isFixed()) {
      throw new IllegalStateException(period + " is not always equally long");
    }
    return Duration.ofDays(period.getDays()).plus(time);
  }

  /**
   * Return when it ends if it begins at {@code start}: years, months and days by the calendar of
   * {@code zone}, to the same time of day, then what clocks count.
   *
   * @throws DateTimeException if no calendar goes that far
   */
  public Instant after(Instant start, ZoneId zone) {
    if (period.isZero()) {
      return start.plus(time);
    }
    LocalDateTime day = LocalDateTime.ofInstant(start, zone).plus(period);
    Instant same = instant(day, zone);
    return (same.isBefore(start) ? start : same).plus(time);
  }

  /* Right after a gap, the first of two: as slots of timings are. */
  static Instant instant(LocalDateTime local, ZoneId zone) {
    ZoneOffsetTransition change = zone.getRules().getTransition(local);
    return change != null && change.isGap()
        ? change.getInstant()
        : local.atZone(zone).withEarlierOffsetAtOverlap().toInstant();
  }
}
