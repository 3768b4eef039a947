package dev.carillon.benchmarks;

/**
 * A way to read an expression: the three rules on which dialects disagree.
 *
 * @param days how day of month and day of week combine when both are restricted
 * @param gap what becomes of a slot whose local time does not exist
 * @param overlap what becomes of a slot whose local time occurs twice
 */
record Reading(Days days, Gap gap, Overlap overlap) {

  /** Carillon's own reading: either day, one fire after the gap, both passes only for wildcards. */
  static final Reading CARILLON = new Reading(Days.EITHER, Gap.FIRE_AFTER, Overlap.AUTO);

  enum Days {
    EITHER,
    BOTH
  }

  enum Gap {
    /** Once, right after the gap, unless the expression fires every hour. */
    FIRE_AFTER,
    SKIP,
    /** Later by the length of the gap: 02:30 becomes 03:30. */
    SHIFT
  }

  enum Overlap {
    /** Both passes when seconds, minutes or hours hold a wildcard, otherwise the first. */
    AUTO,
    FIRST,
    SECOND,
    BOTH
  }

  Reading with(Days other) {
    return new Reading(other, gap, overlap);
  }

  Reading with(Gap other) {
    return new Reading(days, other, overlap);
  }

  Reading with(Overlap other) {
    return new Reading(days, gap, other);
  }
}
