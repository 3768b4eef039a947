package dev.carillon.plan;

import dev.carillon.model.Definition;
import dev.carillon.model.SlotShift;
import dev.carillon.policy.Pacing;
import dev.carillon.time.DueRule;
import java.time.Duration;
import java.time.Instant;

/** Compares what two rules make of the slots of schedules, of so many slots in all. */
public final class RuleComparison {
  private static final Duration AHEAD = Duration.ofDays(30);
  private static final int MAX_SLOTS_EACH = 1_000;

  private final Instant now;
  private final int maxSlots;
  private int compared;

  public RuleComparison(Instant now, int maxSlots) {
    this.now = now;
    this.maxSlots = maxSlots;
  }

  /** Tell whether no more slots are compared. */
  public boolean isExhausted() {
    return compared >= maxSlots;
  }

  /** Return how slots to come change if {@code after} holds instead of {@code before}. */
  public SlotShift of(String key, Definition definition, DueRule before, DueRule after) {
    if (isExhausted()) {
      return new SlotShift(1, 0, 0, 0, false);
    }
    if (before.equals(after) || definition.pacing() == Pacing.FINISH) {
      return new SlotShift(1, 0, 0, 0, true);
    }
    var old = new DuePipeline(key, definition, before);
    var changed = new DuePipeline(key, definition, after);
    long moved = 0;
    long lost = 0;
    long gained = 0;
    int seen = 0;
    Instant from = SlotsToCome.after(definition.timing(), before, now);
    for (Instant slot : definition.window().between(definition.timing(), from, now.plus(AHEAD))) {
      SlotDue then = old.judge(slot);
      SlotDue next = changed.judge(slot);
      if (then.runs() && next.runs()) {
        moved += then.due().equals(next.due()) ? 0 : 1;
      } else {
        lost += then.runs() ? 1 : 0;
        gained += next.runs() ? 1 : 0;
      }
      if (++seen == MAX_SLOTS_EACH || seen + compared >= maxSlots) {
        break;
      }
    }
    compared += seen;
    return new SlotShift(1, moved, lost, gained, true);
  }
}
