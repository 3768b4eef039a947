package dev.carillon.time;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * Moves the due time of slots, or decides that they become no run, such as by a calendar or by
 * quiet hours. Pure: the same slot always has the same due time. The slot itself never changes.
 */
public interface DueRule {
  /** Every slot is due at its own time. */
  DueRule NONE =
      new DueRule() {
        @Override
        public Due due(Instant slot) {
          return Due.at(slot);
        }

        @Override
        public Duration maxAdvance() {
          return Duration.ZERO;
        }

        @Override
        public Duration maxDelay() {
          return Duration.ZERO;
        }
      };

  /** Return when the run of {@code slot} is due, or why it becomes none. */
  Due due(Instant slot);

  /**
   * Return the time that the timing means by {@code slot}: the slot itself, or, where a calendar
   * says when the n-th business day is, that. It has come when this has.
   */
  default Instant named(Instant slot) {
    return slot;
  }

  /** Return how much earlier than its slot a run can be due at most. */
  Duration maxAdvance();

  /** Return how much later than its slot a run can be due at most. */
  Duration maxDelay();

  /** Tell whether a run of a slot up to {@code at} may be due after it. */
  default boolean mayBeDueAfter(Instant at) {
    return !maxDelay().isZero();
  }

  /** Tell whether a run may be due at {@code at}. */
  default boolean allows(Instant at) {
    return true;
  }

  /**
   * Return what becomes of a run that was due before {@code at} and would start then; empty if it
   * may. Only quiet hours hold back what is late.
   */
  default Optional<HeldBack> heldBack(Instant at) {
    return Optional.empty();
  }

  /**
   * A late run that may not start.
   *
   * @param due when it is due instead, or why it becomes none
   * @param together whether all such runs of a schedule are one
   */
  record HeldBack(Due due, boolean together) {}
}
