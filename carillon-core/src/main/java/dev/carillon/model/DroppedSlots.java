package dev.carillon.model;

import java.time.Instant;

/**
 * A stretch of neighbouring slots that became no run.
 *
 * @param first the first of them
 * @param last the last of them
 * @param slots how many
 * @param reason why
 */
public record DroppedSlots(Instant first, Instant last, long slots, Reason reason) {
  /** Why slots become no run. */
  public enum Reason {
    /** Nothing could run them, and catch-up does not. */
    MISSED,
    /** More were missed than catch-up may run. */
    LIMIT,
    /** The schedule was paused. */
    PAUSED,
    /** The schedule was not in force yet. */
    OUTSIDE_WINDOW,
    /** The schedule was retired before their runs were due, such as for jitter. */
    RETIRED
  }

  public DroppedSlots {
    if (slots < 1 || last.isBefore(first)) {
      throw new IllegalArgumentException(
          "no such stretch: " + slots + " slots from " + first + " to " + last);
    }
  }
}
