package dev.carillon.plan;

import java.time.Instant;
import java.util.Optional;

/**
 * A run to create.
 *
 * @param slot the planned time
 * @param dueAt when it may start
 * @param sequel what its end brings about, if anything
 */
public record PlannedRun(Instant slot, Instant dueAt, Optional<Sequel> sequel) {

  /** What the end of a run brings about. */
  public enum Sequel {
    /** The schedule is at its end and retires. */
    RETIRE,
    /** The next slot is a period after this end. */
    REPEAT
  }
}
