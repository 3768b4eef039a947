package dev.carillon.time;

import java.time.Instant;
import java.time.ZoneId;
import java.util.Optional;

/**
 * A timing with a single slot.
 *
 * @param at the slot
 * @param zone the zone for displaying it, if one was given; does not change the slot
 */
public record Once(Instant at, Optional<ZoneId> zone) implements Timing {

  /** Fire once at {@code at}. */
  public Once(Instant at) {
    this(at, Optional.empty());
  }

  @Override
  public Optional<Instant> next(Instant after) {
    return at.isAfter(after) ? Optional.of(at) : Optional.empty();
  }

  @Override
  public Optional<Instant> previous(Instant before) {
    return at.isBefore(before) ? Optional.of(at) : Optional.empty();
  }

  @Override
  public boolean matches(Instant instant) {
    return at.equals(instant);
  }

  @Override
  public long count(Instant after, Instant through) {
    return at.isAfter(after) && !at.isAfter(through) ? 1 : 0;
  }

  @Override
  public String describe() {
    return "Once at "
        + zone.map(id -> at.atZone(id).toLocalDateTime() + " in " + id.getId())
            .orElseGet(at::toString);
  }
}
