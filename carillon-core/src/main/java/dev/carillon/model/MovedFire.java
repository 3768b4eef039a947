package dev.carillon.model;

import java.time.Instant;
import java.time.LocalDateTime;

/**
 * A slot whose run would be due at another time.
 *
 * @param slot the slot
 * @param local the slot on the clock of its timing
 * @param from when its run is due as it is
 * @param to when it would be
 */
public record MovedFire(Instant slot, LocalDateTime local, Instant from, Instant to) {
  /** Compare what becomes of a slot with what would. */
  public static MovedFire of(SlotOutcome before, SlotOutcome after) {
    return new MovedFire(after.slot(), after.local(), before.dueAt(), after.dueAt());
  }

  /** Tell whether the due times differ. */
  public boolean isMoved() {
    return !from.equals(to);
  }
}
