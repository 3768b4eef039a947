package dev.carillon.resilience.chaos;

import java.time.Instant;

/**
 * What the product says became of a slot.
 *
 * @param slot the slot
 * @param decision how its run ended, or what was decided instead
 * @param reason why it did not run; empty if it did
 * @param run the id of its run; empty if it has none
 */
record Fire(Instant slot, String decision, String reason, String run) {
  boolean isExplained() {
    return !reason.isEmpty() || decision.equals("failed");
  }

  boolean isOver() {
    return !decision.equals("pending") && !decision.equals("running");
  }
}
