package dev.carillon.time;

import java.time.Instant;
import java.util.Optional;

/**
 * A timing with a single slot.
 *
 * @param at the slot
 */
public record Once(Instant at) implements Timing {

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
    return "Once at " + at;
  }
}
