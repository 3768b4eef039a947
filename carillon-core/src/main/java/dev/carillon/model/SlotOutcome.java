package dev.carillon.model;

import java.time.Instant;
import java.time.LocalDateTime;
import java.util.Optional;

/**
 * A slot of a schedule, and what became or will become of it.
 *
 * @param slot the planned time
 * @param dueAt when its run may start: the slot, moved by jitter or catch-up
 * @param local the slot on the clock of its timing
 * @param decision what became of it, or will
 * @param reason why, unless it is plain
 * @param run its run, if it has one
 */
public record SlotOutcome(
    Instant slot,
    Instant dueAt,
    LocalDateTime local,
    Fate decision,
    Optional<String> reason,
    Optional<RunId> run) {

  /** What becomes of a slot. */
  public enum Fate {
    /** Its run waits to start. */
    PENDING,
    /** Its run is at work. */
    RUNNING,
    /** Its run is done. */
    SUCCEEDED,
    /** Its run failed for good. */
    FAILED,
    /** Its run was canceled. */
    CANCELED,
    /** Its run did not start, by the rules of its schedule. */
    SKIPPED,
    /** It became no run. */
    DROPPED,
    /** It is to become a run, as things stand. */
    WILL_RUN,
    /** It is to become none, as things stand. */
    WILL_NOT_RUN
  }
}
