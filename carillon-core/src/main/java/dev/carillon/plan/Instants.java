package dev.carillon.plan;

import java.time.Instant;

/** Comparisons of instants. */
final class Instants {
  private Instants() {}

  static Instant earlier(Instant one, Instant other) {
    return other.isBefore(one) ? other : one;
  }

  static Instant later(Instant one, Instant other) {
    return other.isAfter(one) ? other : one;
  }

  /* A stretch (after, through] includes or excludes a slot at its edge by one of these. */

  static Instant justBefore(Instant instant) {
    return instant.minusNanos(1);
  }

  static Instant justAfter(Instant instant) {
    return instant.plusNanos(1);
  }
}
