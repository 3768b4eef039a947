package dev.carillon.plan;

import dev.carillon.time.Due;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Which slot has the run of a due time. Of slots with the same due time before jitter, one that has
 * a run already has it, else the first of them.
 */
final class MergedSlots {
  private final Map<Instant, Instant> slotByDue = new HashMap<>();
  private final Set<Instant> known = new HashSet<>();

  /** Begin with the runs that {@code standing} knows. */
  MergedSlots(Standing standing) {
    if (DueMoves.mayMerge(standing.moves().rule())) {
      standing.moves().earlierRuns().forEach(slot -> known(standing, slot));
      standing.settled().stream()
          .filter(slot -> !standing.moves().decided().contains(slot))
          .forEach(slot -> known(standing, slot));
      standing.moves().heldBack().forEach(this::known);
    }
  }

  private void known(Standing standing, Instant slot) {
    if (standing.moves().rule().due(slot) instanceof Due.At at) {
      known(at.at(), slot);
    }
  }

  private void known(Instant due, Instant slot) {
    slotByDue.putIfAbsent(due, slot);
    known.add(due);
  }

  /** Return the slot with a run that was due at {@code due} before. */
  Optional<Instant> earlier(Instant due) {
    return known.contains(due) ? Optional.ofNullable(slotByDue.get(due)) : Optional.empty();
  }

  /** Return the slot whose run stands for {@code slot}; empty if that has its own. */
  Optional<Instant> runFor(SlotDue slot) {
    return Optional.ofNullable(slotByDue.putIfAbsent(slot.due(), slot.slot()));
  }
}
