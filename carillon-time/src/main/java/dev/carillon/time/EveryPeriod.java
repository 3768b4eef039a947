package dev.carillon.time;

import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.Period;
import java.time.ZoneId;
import java.time.temporal.ChronoUnit;
import java.util.Optional;

/**
 * A timing that repeats by the calendar of a time zone: every so many years, months and days from
 * an anchor, at the same time of day.
 *
 * <p>Each slot is counted from the anchor. A month that has no such day has the slot on its last
 * one: from 31 January on, {@code P1M} names 28 or 29 February, then 31 March. A slot at a time
 * that the clocks skip falls right after the gap; one at a time that they repeat, on the first of
 * the two.
 *
 * @param period distance between slots: years, months and days, from one day to a hundred years
 * @param anchor any local date-time on the grid, in whole seconds
 * @param zone the zone whose calendar and clock count
 */
public record EveryPeriod(Period period, LocalDateTime anchor, ZoneId zone) implements Timing {
  private static final long LONGEST_MONTHS = 1_200;
  private static final int LONGEST_DAYS = 36_525;
  private static final LocalDateTime USUAL_ANCHOR = LocalDate.EPOCH.atStartOfDay();

  public EveryPeriod {
    if (period.isZero()
        || period.getYears() < 0
        || period.getMonths() < 0
        || period.getDays() < 0
        || period.toTotalMonths() > LONGEST_MONTHS
        || period.getDays() > LONGEST_DAYS) {
      throw new InvalidValueException(
          "a period of the calendar must be from P1D to P100Y, with no part below 0; was "
              + period);
    }
    if (!anchor.equals(anchor.truncatedTo(ChronoUnit.SECONDS))) {
      throw new InvalidValueException("anchor must be a whole second; was " + anchor);
    }
    Zones.check(zone);
  }

  /** Repeat every {@code period}, counted from the midnight that began 1970 in {@code zone}. */
  public static EveryPeriod of(Period period, ZoneId zone) {
    return new EveryPeriod(period, USUAL_ANCHOR, zone);
  }

  /** Repeat every {@code period}, counted from {@code anchor} as the clocks of a zone show it. */
  public static EveryPeriod from(Instant anchor, Period period, ZoneId zone) {
    return new EveryPeriod(period, LocalDateTime.ofInstant(anchor, zone), zone);
  }

  /** Tell whether the anchor is the one that {@link #of} takes. */
  public boolean hasUsualAnchor() {
    return anchor.equals(USUAL_ANCHOR);
  }

  /** Return the instant of the anchor, by the same rules as for any slot. */
  public Instant anchorInstant() {
    return PeriodDuration.instant(anchor, zone);
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
    return "Every %s from %s, %s".formatted(PeriodWords.of(period), anchor, zone);
  }

  ZonedSlots slots() {
    return new ZonedSlots(new PeriodSlots(period, anchor), Offsets.of(zone), true, true);
  }

  @Override
  public String toString() {
    return "%s from %s %s".formatted(period, anchor, zone);
  }
}
