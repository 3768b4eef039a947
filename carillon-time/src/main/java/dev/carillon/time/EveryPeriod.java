package dev.carillon.time;

import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.Period;
import java.time.ZoneId;
import java.time.temporal.ChronoUnit;
import java.util.Optional;

/**
 * A timing that repeats by the calendar of a time zone: at intervals of years, months and days from
 * an anchor, at the same time of day.
 *
 * <p>Each slot is counted from the anchor. In a month without that day, the slot is on the last
 * day: from 31 January, {@code P1M} gives 28 or 29 February, then 31 March. A slot at a skipped
 * local time moves to the end of the gap; a slot at a repeated local time is the first of the two.
 *
 * @param period distance between slots: years, months and days, from one day to a hundred years
 * @param anchor any local date-time on the grid, in whole seconds
 * @param zone the zone of the anchor and the slots
 */
public record EveryPeriod(Period period, LocalDateTime anchor, ZoneId zone) implements Timing {
  private static final long MAX_MONTHS = 1_200;
  private static final int MAX_DAYS = 36_525;
  private static final LocalDateTime DEFAULT_ANCHOR = LocalDate.EPOCH.atStartOfDay();

  public EveryPeriod {
    if (period.isZero()
        || period.getYears() < 0
        || period.getMonths() < 0
        || period.getDays() < 0
        || period.toTotalMonths() > MAX_MONTHS
        || period.getDays() > MAX_DAYS) {
      throw new InvalidValueException(
          "a period of the calendar must be from P1D to P100Y, with no part below 0; was "
              + period);
    }
    if (!anchor.equals(anchor.truncatedTo(ChronoUnit.SECONDS))) {
      throw new InvalidValueException("anchor must be a whole second; was " + anchor);
    }
    Zones.check(zone);
  }

  /** Repeat every {@code period}, counted from 1970-01-01T00:00 in {@code zone}. */
  public static EveryPeriod of(Period period, ZoneId zone) {
    return new EveryPeriod(period, DEFAULT_ANCHOR, zone);
  }

  /** Repeat every {@code period}, counted from the local time of {@code anchor} in {@code zone}. */
  public static EveryPeriod from(Instant anchor, Period period, ZoneId zone) {
    return new EveryPeriod(period, LocalDateTime.ofInstant(anchor, zone), zone);
  }

  /** Return whether the anchor is the default of {@link #of}. */
  public boolean hasUsualAnchor() {
    return anchor.equals(DEFAULT_ANCHOR);
  }

  /** Return the instant of the anchor, by the same rules as for any slot. */
  public Instant anchorInstant() {
    return Zones.instant(anchor, zone);
  }

  @Override
  public Optional<Instant> next(Instant after) {
    long slot = slots().next(after.getEpochSecond());
    return slot == ZonedSlots.NEVER ? Optional.empty() : Optional.of(Instant.ofEpochSecond(slot));
  }

  @Override
  public Optional<Instant> previous(Instant before) {
    long second = before.getEpochSecond() + (before.getNano() == 0 ? 0 : 1);
    long slot = slots().previous(second);
    return slot == ZonedSlots.NONE ? Optional.empty() : Optional.of(Instant.ofEpochSecond(slot));
  }

  @Override
  public long count(Instant after, Instant through) {
    return slots().count(after.getEpochSecond(), through.getEpochSecond());
  }

  @Override
  public String describe() {
    return "Every %s from %s, %s".formatted(DurationDescription.of(period), anchor, zone);
  }

  ZonedSlots slots() {
    return new ZonedSlots(new PeriodLocalTimes(period, anchor), ZoneOffsets.of(zone), true, true);
  }

  @Override
  public String toString() {
    return "%s from %s %s".formatted(period, anchor, zone);
  }
}
