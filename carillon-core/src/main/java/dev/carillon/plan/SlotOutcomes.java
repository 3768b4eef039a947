package dev.carillon.plan;

import dev.carillon.model.Decision;
import dev.carillon.model.Definition;
import dev.carillon.model.RunId;
import dev.carillon.model.RunState;
import dev.carillon.model.SlotOutcome;
import dev.carillon.model.SlotOutcome.Fate;
import dev.carillon.plan.Forecast.Expected;
import dev.carillon.time.Fire;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.Optional;

/** Says what became of a slot, by a run, a decision or a forecast. Pure. */
public final class SlotOutcomes {
  private SlotOutcomes() {}

  /** Say what is expected of a slot of {@code definition}. */
  public static SlotOutcome expected(Definition definition, Expected expected) {
    return new SlotOutcome(
        expected.slot(),
        expected.dueAt(),
        local(definition, expected.slot()),
        expected.obstacle().isPresent() ? Fate.WILL_NOT_RUN : Fate.WILL_RUN,
        expected.obstacle(),
        Optional.empty());
  }

  /** Say why a slot of {@code definition} became no run. */
  public static SlotOutcome dropped(
      String key, Definition definition, Decision decision, Instant slot) {
    return new SlotOutcome(
        slot,
        definition.jitter().dueAt(definition.timing(), key, slot),
        local(definition, slot),
        Fate.DROPPED,
        Optional.of(decision.droppedSlots().why()),
        Optional.empty());
  }

  /** Say what became of the run of a slot of {@code definition}. */
  public static SlotOutcome ran(
      Definition definition, RunId run, Instant dueAt, RunState state, Optional<String> reason) {
    return new SlotOutcome(
        run.slot(),
        dueAt,
        local(definition, run.slot()),
        Fate.valueOf(state.name()),
        reason,
        Optional.of(run));
  }

  private static LocalDateTime local(Definition definition, Instant slot) {
    return Fire.of(definition.timing(), ZoneOffset.UTC, slot).local().toLocalDateTime();
  }
}
