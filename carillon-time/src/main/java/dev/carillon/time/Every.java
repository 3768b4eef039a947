package dev.carillon.time;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Optional;

/**
 * A timing that repeats at a fixed interval from an anchor, so that neither restarts nor slow runs
 * shift it.
 *
 * <p>Slots fall at {@code anchor + n × period}, before and after the anchor: an hourly timing
 * anchored at 00:05 fires at five past every hour.
 *
 * @param period distance between slots: whole seconds, from one second to {@link #MAX_PERIOD}
 * @param anchor any instant on the grid, past or future, in whole seconds
 */
public record Every(Duration period, Instant anchor) implements Timing {
  /** The longest period accepted. */
  public static final Duration MAX_PERIOD = Duration.ofDays(36_525);

  public Every {
    if (period.toSeconds() < 1 || period.toNanosPart() != 0 || period.compareTo(MAX_PERIOD) > 0) {
      throw new InvalidValueException(
          "period must be whole seconds, from 1s to " + MAX_PERIOD.toDays() + "d; was " + period);
    }
    if (!anchor.equals(anchor.truncatedTo(ChronoUnit.SECONDS))) {
      throw new InvalidValueException("anchor must be a whole second; was " + anchor);
    }
  }

  /** Repeat every {@code period}, counted from 1970-01-01T00:00:00Z. */
  public static Every of(Duration period) {
    return new Every(period, Instant.EPOCH);
  }

  @Override
  public Optional<Instant> next(Instant after) {
    return slot(
        after.getEpochSecond() - secondsAfterSlot(after.getEpochSecond()) + period.toSeconds());
  }

  @Override
  public Optional<Instant> previous(Instant before) {
    long last = before.getEpochSecond() - (before.getNano() == 0 ? 1 : 0);
    return slot(last - secondsAfterSlot(last));
  }

  @Override
  public long count(Instant after, Instant through) {
    if (!after.isBefore(through)) {
      return 0;
    }
    long from = after.getEpochSecond() - secondsAfterSlot(after.getEpochSecond());
    return (through.getEpochSecond() - from) / period.toSeconds();
  }

  @Override
  public String describe() {
    return "Every " + DurationDescription.of(period);
  }

  /** Return the seconds from the slot at or before {@code second} to {@code second}. */
  private long secondsAfterSlot(long second) {
    return Math.floorMod(second - anchor.getEpochSecond(), period.toSeconds());
  }

  private static Optional<Instant> slot(long second) {
    boolean exists =
        second >= Instant.MIN.getEpochSecond() && second <= Instant.MAX.getEpochSecond();
    return exists ? Optional.of(Instant.ofEpochSecond(second)) : Optional.empty();
  }
}
