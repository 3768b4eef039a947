package dev.carillon.plan;

import dev.carillon.model.Definition;
import dev.carillon.time.DueRule;
import dev.carillon.time.Timing;
import dev.carillon.time.Window;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;

/**
 * The slots of a schedule from where planning stands, each judged, as far as one plan goes.
 *
 * @param slots in their order
 * @param through how far the plan goes: to the horizon, or to the last slot beyond it that is due
 *     by then; less if that were too many slots for one plan
 * @param cut whether it were
 */
record JudgedSlots(List<SlotDue> slots, Instant through, boolean cut) {
  /** The most slots that one plan looks at one by one; the next plan goes on from there. */
  static final int MAX = 10_000;

  static JudgedSlots upTo(Standing standing, Instant horizon) {
    Definition definition = standing.definition();
    Instant after = standing.plannedThrough();
    DueRule rule = standing.moves().rule();
    var pipeline = new DuePipeline(standing.key(), definition, rule);
    Instant last = standing.beforePause(Instant.MAX);
    Instant through = Instants.later(after, Instants.earlier(horizon, last));
    Instant far = Instants.earlier(plus(horizon, rule.maxAdvance()), last);
    Iterator<Instant> coming =
        definition.window().between(definition.timing(), after, last).iterator();
    var judged = new ArrayList<SlotDue>();
    boolean jittered = !definition.jitter().amount().isZero();
    boolean beyond = false;
    while (coming.hasNext() && judged.size() < MAX && !beyond) {
      Instant next = coming.next();
      beyond = next.isAfter(far);
      if (beyond && !jittered) {
        break;
      }
      SlotDue slot =
          pipeline.judge(next); // also one beyond, as jitter may make it due by the horizon
      judged.add(slot);
      if (slot.slot().isAfter(through) && slot.runs() && !slot.dueAt().isAfter(horizon)) {
        through = slot.slot();
      }
    }
    boolean cut = judged.size() == MAX && !beyond && last(judged).slot().isBefore(through);
    Instant end = cut ? last(judged).slot() : through;
    judged.removeIf(slot -> slot.slot().isAfter(end));
    return new JudgedSlots(List.copyOf(judged), end, cut);
  }

  /**
   * Return which horizon must not pass without {@code next} being planned: the earliest due time of
   * it and of later slots up to {@code last}, which are only planned after it.
   */
  static Instant planBy(DuePipeline pipeline, Definition definition, DueRule rule, Slice slice) {
    if (rule.maxAdvance().isZero() && definition.jitter().amount().isZero()) {
      return slice.next;
    }
    Window window = definition.window();
    Timing timing = definition.timing();
    Instant planBy = slice.next;
    Instant far = Instants.earlier(plus(slice.next, rule.maxAdvance()), slice.last);
    int seen = 0;
    for (Instant slot : window.between(timing, Instants.justBefore(slice.next), far)) {
      SlotDue judged = pipeline.judge(slot);
      if (judged.runs()) {
        planBy = Instants.earlier(planBy, judged.dueAt());
      }
      if (++seen == MAX) {
        break;
      }
    }
    return planBy;
  }

  /** The slots from {@code next} to {@code last}. */
  record Slice(Instant next, Instant last) {}

  private static SlotDue last(List<SlotDue> slots) {
    return slots.get(slots.size() - 1);
  }

  private static Instant plus(Instant instant, Duration duration) {
    return instant.isAfter(Instant.MAX.minus(duration)) ? Instant.MAX : instant.plus(duration);
  }
}
