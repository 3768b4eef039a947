package dev.carillon.plan;

import dev.carillon.time.Due;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Which slot has the run of a due time. Of slots with the same due time before jitter, one that has
 * a run already has it, else the first of them.
 */
final class MergedSlots {
  private final Map<Instant, Instant> slotByDue = new HashMap<>();

  /** Begin with the runs that {@code standing} knows. */
  MergedSlots(Standing standing) {
    if (DueMoves.mayMerge(standing.moves().rule())) {
      standing.moves().earlierRuns().forEach(slot -> known(standing, slot));
      standing.settled().forEach(slot -> known(standing, slot));
    }
  }

  private void known(Standing standing, Instant slot) {
    if (standing.moves().rule().due(slot) instanceof Due.At at) {
      slotByDue.putIfAbsent(at.at(), slot);
    }
  }

  /** Return the slot whose run stands for {@code slot}; empty if that has its own. */
  Optional<Instant> runFor(SlotDue slot) {
    return Optional.ofNullable(slotByDue.putIfAbsent(slot.due(), slot.slot()));
  }
}
