package dev.carillon.time;

import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.Period;
import java.time.ZoneId;
import java.util.Locale;

/**
 * An amount of time in ISO 8601, with calendar years, months and days and clock hours, minutes and
 * seconds, such as {@code P1M}, {@code P1W}, {@code P1Y2M3D} or {@code P1DT2H}, or in the short
 * form of {@link DurationText}.
 *
 * @param period years, months and days
 * @param time hours, minutes and seconds
 */
public record PeriodDuration(Period period, Duration time) {
  private static final int MAX_LENGTH = 100;

  public PeriodDuration {
    if (period.getYears() < 0
        || period.getMonths() < 0
        || period.getDays() < 0
        || time.isNegative()) {
      throw new InvalidValueException(
          "an amount of time has no part below 0; was %s and %s".formatted(period, time));
    }
  }

  /** Return {@code duration} as an amount without years, months and days. */
  public static PeriodDuration of(Duration duration) {
    return new PeriodDuration(Period.ZERO, duration);
  }

  /**
   * Parse an amount of time.
   *
   * @throws IllegalArgumentException if the text is not valid
   */
  public static PeriodDuration parse(String text) {
    String bare = text.strip();
    boolean iso = bare.startsWith("P") || bare.startsWith("p");
    try {
      if (iso && bare.length() <= MAX_LENGTH) {
        return read(bare.toUpperCase(Locale.ROOT));
      }
    } catch (DateTimeException | ArithmeticException e) {
      // reported below
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
      return new PeriodDuration(Period.parse(text), Duration.ZERO);
    }
    String date = text.substring(0, clock);
    return new PeriodDuration(
        date.equals("P") ? Period.ZERO : Period.parse(date),
        Duration.parse("P" + text.substring(clock)));
  }

  /** Return whether its length is fixed, with days of 24 hours: it has no years or months. */
  public boolean isFixed() {
    return period.toTotalMonths() == 0;
  }

  /**
   * Return its fixed length, with days of 24 hours.
   *
   * @throws IllegalStateException if it is not {@link #isFixed() fixed}
   */
  @SuppressWarnings("JavaPeriodGetDays") // there are no months
  public Duration fixed() {
    if (!isFixed()) {
      throw new IllegalStateException(period + " is not always equally long");
    }
    return Duration.ofDays(period.getDays()).plus(time);
  }

  /**
   * Return the end of this amount from {@code start}: first years, months and days by the calendar
   * of {@code zone}, to the same time of day, then hours, minutes and seconds.
   *
   * @throws DateTimeException if the result is out of range
   */
  public Instant after(Instant start, ZoneId zone) {
    if (period.isZero()) {
      return start.plus(time);
    }
    LocalDateTime day = LocalDateTime.ofInstant(start, zone).plus(period);
    Instant same = Zones.instant(day, zone);
    return (same.isBefore(start) ? start : same).plus(time);
  }
}
