package dev.carillon;

import dev.carillon.definition.FieldLimits;
import dev.carillon.time.InvalidValueException;
import dev.carillon.time.PeriodDuration;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;

/**
 * How long to wait from when something is stored.
 *
 * @param amount how long
 * @param zone whose calendar counts its years, months and days
 */
record Delay(PeriodDuration amount, ZoneId zone) {
  private static final ZoneId UTC = ZoneId.of("UTC");

  static final Delay NONE = of(Duration.ZERO);

  static Delay of(Duration duration) {
    return new Delay(PeriodDuration.of(ScheduleLimits.delay(duration)), UTC);
  }

  /** Return when it ends, in whole microseconds. */
  Instant after(Instant now) {
    try {
      return FieldLimits.instant("the end of a delay", amount.after(now, zone));
    } catch (DateTimeException | ArithmeticException e) {
      throw new InvalidValueException(
          "a delay must end before the year 10000; was %s and %s"
              .formatted(amount.period(), amount.time()),
          e);
    }
  }
}
