package dev.carillon.plan;

import dev.carillon.model.Definition;
import dev.carillon.plan.FireGroup.Stretch;
import dev.carillon.policy.Pacing;
import dev.carillon.time.Due;
import dev.carillon.time.DueRule;
import dev.carillon.time.Timing;
import dev.carillon.time.Window;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Finds when the fires of schedules are due that follow a calendar or keep quiet hours: their slots
 * are judged one by one, but those of the same timing and rule only once.
 */
final class RuledLoad {
  /* Beyond, due times are not looked for, and slots not kept to be used again. */
  private static final int MAX_SLOTS = 700_000;
  private static final int MAX_JUDGED = 5_000_000;
  private static final int MAX_KEPT = 1_000_000;
  private static final int MAX_LEFT_OUT = 50_000;

  private final Instant from;
  private final Instant to;
  private final Instant now;
  private final Map<Same, RuledSlots> known = new HashMap<>();
  private int judged;
  private int kept;

  RuledLoad(Instant from, Instant to, Instant now) {
    this.from = from;
    this.to = to;
    this.now = now;
  }

  private record Same(Timing timing, Window window, DueRule rule, Stretch reach) {}

  /** Takes the due times of fires, one after the other. */
  interface Fires {
    void due(Instant dueAt);
  }

  /**
   * Give all fires of a group that are not planned yet, also some that are not in the period.
   *
   * @return whether they were few enough to be looked at
   */
  boolean each(FireGroup group, Fires fires) {
    if (group.definition().pacing() == Pacing.FINISH) {
      afterFinish(group).ifPresent(fires::due);
      return true;
    }
    List<Stretch> stretches = group.stretches(now);
    if (stretches.isEmpty() || group.runsLeft() == 0) {
      return true;
    }
    Optional<RuledSlots> slots = slots(group, stretches);
    slots.ifPresent(found -> each(group, stretches, found, fires));
    return slots.isPresent();
  }

  /* Of slots that are due at the same time one runs, as in a preview. */
  private static void each(
      FireGroup group, List<Stretch> stretches, RuledSlots found, Fires fires) {
    var pipeline = new DuePipeline(group.keys().get(0), group.definition(), group.rule());
    var dues = new HashMap<Instant, Instant>();
    for (Instant slot : group.outlook().ahead()) {
      if (group.rule().due(slot) instanceof Due.At at) {
        dues.put(at.at(), slot);
      }
    }
    long left = group.runsLeft();
    int next = 0;
    List<RuledSlots.Slot> slots = found.slots();
    for (Stretch stretch : stretches) {
      while (next < slots.size() && !slots.get(next).slot().isAfter(stretch.after())) {
        next++;
      }
      while (next < slots.size() && !slots.get(next).slot().isAfter(stretch.through())) {
        RuledSlots.Slot slot = slots.get(next++);
        if (left > 0 && dues.putIfAbsent(slot.due(), slot.slot()) == null) {
          left--;
          fires.due(pipeline.jittered(slot.slot(), slot.due()));
        }
      }
    }
  }

  private Optional<RuledSlots> slots(FireGroup group, List<Stretch> stretches) {
    Definition definition = group.definition();
    var same =
        new Same(
            definition.timing(),
            definition.window(),
            group.rule(),
            reach(group, stretches.get(0).after()));
    RuledSlots before = known.get(same);
    if (before != null) {
      return Optional.of(before);
    }
    int most = Math.min(MAX_SLOTS, MAX_JUDGED - judged);
    Optional<RuledSlots> found = RuledSlots.of(definition, group.rule(), same.reach, most);
    judged += found.map(RuledSlots::seen).orElse(0);
    found
        .filter(slots -> kept + slots.slots().size() <= MAX_KEPT)
        .ifPresent(
            slots -> {
              kept += slots.slots().size() + 1;
              known.put(same, slots);
            });
    return found;
  }

  /* So far back as slots may share a due time with those of the period; with so many runs at most,
   * from the beginning. */
  private Stretch reach(FireGroup group, Instant begin) {
    DueRule rule = group.rule();
    Duration jitter = group.definition().jitter().amount();
    Instant through = to.plus(rule.maxAdvance()).plus(jitter);
    if (group.runsLeft() != Long.MAX_VALUE) {
      return new Stretch(begin, through);
    }
    Instant back =
        from.minus(rule.maxDelay()).minus(rule.maxDelay()).minus(rule.maxAdvance()).minus(jitter);
    return new Stretch(Instants.later(Instants.justBefore(back), group.come(now)), through);
  }

  /* A slot that is left out counts as an end. */
  private static Optional<Instant> afterFinish(FireGroup group) {
    Definition definition = group.definition();
    var pipeline = new DuePipeline(group.keys().get(0), definition, group.rule());
    Optional<Instant> slot = group.slotAfterFinish();
    for (int seen = 0; seen < MAX_LEFT_OUT && slot.isPresent(); seen++) {
      SlotDue judged = pipeline.judge(slot.get());
      if (judged.runs()) {
        return Optional.of(Instants.later(judged.slot(), judged.dueAt()));
      }
      slot = Planner.next(definition, slot.get());
    }
    return Optional.empty();
  }
}
