package dev.carillon.plan;

import dev.carillon.model.Definition;
import dev.carillon.model.DroppedSlots;
import dev.carillon.policy.CatchUp;
import dev.carillon.policy.Pacing;
import dev.carillon.time.DueRule;
import dev.carillon.time.Timing;
import dev.carillon.time.Window;
import java.time.Instant;
import java.util.Optional;

/** Decides which slots of a schedule become runs. Pure: no clock, no database, no randomness. */
public final class Planner {
  private Planner() {}

  /**
   * Decide what the schedule should do with its slots up to {@code horizon}, which lies after
   * {@code now}, and with slots beyond it that are due by then.
   */
  public static Plan plan(Standing standing, Instant now, Instant horizon) {
    return plan(standing, now, horizon, CatchUp.MAX_LIMIT);
  }

  /**
   * Decide the same, but make runs of at most {@code most} slots that were missed and that all run.
   * The others, and what comes after them, are left for a later turn.
   */
  public static Plan plan(Standing standing, Instant now, Instant horizon, int most) {
    if (standing.definition().pacing() == Pacing.FINISH) {
      return AfterEndPlanner.plan(standing, now, horizon);
    }
    return standing.moves().isNone()
        ? SlotPlanner.plan(standing, now, horizon, most)
        : RulePlanner.plan(standing, now, horizon, most);
  }

  /**
   * Return the first slot after {@code after}: where a new, changed or resumed schedule goes on;
   * empty if there is none.
   */
  public static Optional<Instant> next(Definition definition, Instant after) {
    return definition.pacing() == Pacing.FINISH
        ? AfterEndPlanner.next(definition, after)
        : definition.window().next(definition.timing(), after);
  }

  /** Return an end of a run after which {@code slot} comes next, if such ends decide it. */
  public static Instant endBefore(Definition definition, Instant slot) {
    return AfterEndPlanner.endBefore(definition, slot);
  }

  /**
   * Return which horizon must not pass without {@code slot} being planned: the slot, or its due
   * time if jitter makes that earlier.
   */
  public static Instant planBy(Definition definition, String key, Instant slot) {
    if (definition.pacing() == Pacing.FINISH) {
      return slot;
    }
    return Instants.earlier(slot, definition.jitter().dueAt(definition.timing(), key, slot));
  }

  /**
   * Return the same for slots whose due times {@code rule} moves: also the due time of a later slot
   * up to {@code last} if that is earlier, since slots are planned in their order.
   */
  public static Instant planBy(
      String key, Definition definition, DueRule rule, Instant slot, Instant last) {
    if (rule == DueRule.NONE || definition.pacing() == Pacing.FINISH) {
      return planBy(definition, key, slot);
    }
    return JudgedSlots.planBy(
        new DuePipeline(key, definition, rule),
        definition,
        rule,
        new JudgedSlots.Slice(slot, last));
  }

  /**
   * Return the slots after {@code after} up to and including {@code through} as one dropped
   * stretch; empty if there are none, or if the end of a run decides when they are.
   */
  public static Optional<DroppedSlots> skipped(
      Definition definition, Instant after, Instant through, DroppedSlots.Reason reason) {
    if (definition.pacing() == Pacing.FINISH) {
      return Optional.empty();
    }
    Window window = definition.window();
    Timing timing = definition.timing();
    long slots = window.between(timing, after, through).count();
    if (slots <= 0) {
      return Optional.empty();
    }
    Instant first = window.next(timing, after).orElseThrow();
    Instant last = window.previous(timing, Instants.justAfter(through)).orElseThrow();
    return Optional.of(new DroppedSlots(first, last, slots, reason));
  }
}
