package dev.carillon.time.business;

import dev.carillon.time.DurationText;
import dev.carillon.time.EveryPeriod;
import dev.carillon.time.InvalidValueException;
import dev.carillon.time.Timing;
import dev.carillon.time.Zones;
import dev.carillon.time.business.WorkingHoursEdge.Edge;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.Period;
import java.time.ZoneId;
import java.util.Optional;

/**
 * When the working hours of a calendar open or close, once per business day, or so much earlier or
 * later. It has a slot per day, at midnight.
 *
 * @param calendar the name of the calendar
 * @param edge whether hours open or close
 * @param offset the distance from there; negative for earlier
 * @param zone the zone of the midnights; empty for that of the calendar
 */
public record OpenOrClose(String calendar, Edge edge, Duration offset, Optional<ZoneId> zone)
    implements CalendarTiming {
  /** The largest offset accepted, in both directions. */
  public static final Duration MAX_OFFSET = Duration.ofDays(1);

  /* Hours of a day may end on the next; zones are up to 26 hours apart. */
  private static final Duration ZONES = Duration.ofDays(2);
  private static final Duration HOURS = Duration.ofDays(2);

  public OpenOrClose {
    if (offset.abs().compareTo(MAX_OFFSET) > 0 || offset.toNanosPart() != 0) {
      throw new InvalidValueException(
          "offset",
          "an offset from open or close is from -1d to 1d, in whole seconds; was " + offset);
    }
    zone.ifPresent(Zones::check);
  }

  @Override
  public OpenOrClose withZone(ZoneId other) {
    return new OpenOrClose(calendar, edge, offset, Optional.of(other));
  }

  @Override
  public WorkingHoursEdge on(BusinessCalendar hours) {
    return new WorkingHoursEdge(hours, edge, offset);
  }

  private Timing slots() {
    return EveryPeriod.of(Period.ofDays(1), slotZone());
  }

  private LocalDate date(Instant slot) {
    return LocalDate.ofInstant(slot, slotZone());
  }

  /** Tell whether {@code instant} is on the day of {@code slot}. */
  public boolean isOnDayOf(Instant slot, Instant instant) {
    return date(slot).equals(date(instant));
  }

  @Override
  public Optional<Instant> named(BusinessCalendar hours, Instant slot) {
    return on(hours).on(date(slot));
  }

  @Override
  public String named(Instant slot) {
    return "%sthe %s of %s"
        .formatted(distance(), edge == Edge.OPEN ? "opening" : "closing", date(slot));
  }

  @Override
  public String unnamed(BusinessCalendar hours, Instant slot) {
    LocalDate date = date(slot);
    return hours.isBusinessDay(date)
        ? "the clocks skip the working hours of " + date
        : hours.because(date);
  }

  @Override
  public Duration maxBeforeSlot() {
    return offset.isNegative() ? ZONES.minus(offset) : ZONES;
  }

  @Override
  public Duration maxAfterSlot() {
    Duration most = ZONES.plus(HOURS);
    return offset.isNegative() ? most : most.plus(offset);
  }

  @Override
  public Optional<Instant> next(Instant after) {
    return slots().next(after);
  }

  @Override
  public Optional<Instant> previous(Instant before) {
    return slots().previous(before);
  }

  @Override
  public long count(Instant after, Instant through) {
    return slots().count(after, through);
  }

  private String opens() {
    return edge == Edge.OPEN ? "open" : "close";
  }

  private String distance() {
    return offset.isZero()
        ? ""
        : DurationText.of(offset.abs()) + (offset.isNegative() ? " before " : " after ");
  }

  @Override
  public String describe() {
    String when = offset.isZero() ? "When" : distance().strip();
    return "%s working hours %s, calendar %s%s"
        .formatted(when, opens(), calendar, zone.map(id -> ", " + id).orElse(""));
  }
}
