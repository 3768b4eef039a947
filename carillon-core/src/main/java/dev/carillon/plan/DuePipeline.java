package dev.carillon.plan;

import dev.carillon.model.Definition;
import dev.carillon.model.DroppedSlots.Reason;
import dev.carillon.plan.SlotDue.Obstacle;
import dev.carillon.time.Due;
import dev.carillon.time.DueRule;
import dev.carillon.time.business.CalendarTiming;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * The way from a slot to its due time: calendar, quiet hours, window, jitter. Everything that tells
 * when slots are due goes through here. Pure.
 */
public final class DuePipeline {
  private final String key;
  private final Definition definition;
  private final DueRule rule;

  /** Judge slots of the schedule {@code key}. */
  public DuePipeline(String key, Definition definition, DueRule rule) {
    this.key = key;
    this.definition = definition;
    this.rule = rule;
  }

  /** Tell whether slots are due at their own time, but for jitter. */
  boolean isPlain() {
    return rule == DueRule.NONE;
  }

  /** Return what becomes of a slot of the timing. */
  public SlotDue judge(Instant slot) {
    if (!definition.window().forSlots(definition.timing()).contains(slot)) {
      return dropped(
          slot,
          new Obstacle(
              Reason.OUTSIDE_WINDOW, Optional.empty(), "the schedule is not in force at its slot"));
    }
    Due due = rule.due(slot);
    if (due instanceof Due.Dropped dropped) {
      return dropped(slot, Obstacle.of(dropped));
    }
    Due.At at = (Due.At) due;
    Optional<Obstacle> obstacle =
        mayLeaveWindow(slot, at) && !definition.window().contains(at.at())
            ? Optional.of(
                new Obstacle(
                    Reason.OUTSIDE_WINDOW,
                    at.moves().stream().reduce((first, last) -> last).map(Due.Move::by),
                    "the schedule is not in force when it is due"))
            : Optional.empty();
    return new SlotDue(slot, at.at(), jittered(slot, at.at()), at.moves(), obstacle);
  }

  /* Half as far, until it is in allowed time: the due time itself is. */
  Instant jittered(Instant slot, Instant due) {
    Instant dueAt = definition.jitter().dueAt(definition.timing(), key, slot, due);
    long shift = Duration.between(due, dueAt).toMillis();
    while (shift != 0 && !rule.allows(due.plusMillis(shift))) {
      shift /= 2;
    }
    return due.plusMillis(shift);
  }

  /* What a slot of a calendar timing stands for may be outside although the slot is not. */
  private boolean mayLeaveWindow(Instant slot, Due.At due) {
    return !due.at().equals(slot) || definition.timing() instanceof CalendarTiming;
  }

  private static SlotDue dropped(Instant slot, Obstacle obstacle) {
    return new SlotDue(slot, slot, slot, List.of(), Optional.of(obstacle));
  }
}
