package dev.carillon.plan;

import dev.carillon.model.Definition;
import dev.carillon.time.DueRule;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The slots of a timing that a calendar or quiet hours let run, each with its due time before
 * jitter: the same for all schedules with this timing and this rule.
 *
 * @param slots those that become runs, in order
 * @param seen how many were looked at
 */
record RuledSlots(List<Slot> slots, int seen) {
  /** A slot, and when its run is due before jitter. */
  record Slot(Instant slot, Instant due) {}

  /**
   * Judge the slots of {@code reach}.
   *
   * @return empty if there are more than {@code most}
   */
  static Optional<RuledSlots> of(
      Definition definition, DueRule rule, FireGroup.Stretch reach, int most) {
    var pipeline = new DuePipeline("", definition, rule);
    var slots = new ArrayList<Slot>();
    int seen = 0;
    for (Instant slot :
        definition.window().between(definition.timing(), reach.after(), reach.through())) {
      if (++seen > most) {
        return Optional.empty();
      }
      SlotDue judged = pipeline.judge(slot);
      if (judged.runs()) {
        slots.add(new Slot(slot, judged.due()));
      }
    }
    return Optional.of(new RuledSlots(List.copyOf(slots), seen));
  }
}
