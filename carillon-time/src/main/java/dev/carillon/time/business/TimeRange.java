package dev.carillon.time.business;

import java.time.Duration;
import java.time.Instant;

/**
 * A stretch of time.
 *
 * @param start the first instant
 * @param end the first instant after it
 */
public record TimeRange(Instant start, Instant end) {
  /** Return whether {@code instant} is in this range. */
  public boolean contains(Instant instant) {
    return !instant.isBefore(start) && instant.isBefore(end);
  }

  /** Return how long it lasts. */
  public Duration length() {
    return Duration.between(start, end);
  }
}
