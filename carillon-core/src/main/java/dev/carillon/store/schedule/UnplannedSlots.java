package dev.carillon.store.schedule;

import dev.carillon.model.DroppedSlots;
import dev.carillon.model.DroppedSlots.Reason;
import dev.carillon.plan.Planner;
import dev.carillon.store.schedule.PlannedAhead.Withdrawn;
import dev.carillon.time.Timing;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.NavigableSet;

/** Decides about slots that a change leaves without a run. */
final class UnplannedSlots {
  private final PlannedAhead ahead;
  private final DecisionsAhead decisions;

  UnplannedSlots(PlannedAhead ahead, DecisionsAhead decisions) {
    this.ahead = ahead;
    this.decisions = decisions;
  }

  /**
   * Return decisions about the slots up to {@code through} that have no run and no decision yet,
   * without those of {@code withdrawn} runs.
   */
  List<DecisionStore.Line> unplanned(
      LockedSchedule locked, Instant through, Reason reason, List<Withdrawn> withdrawn) {
    Instant after = locked.plannedThrough();
    if (!locked.mayHaveUnplanned(through)
        || !after.isBefore(through)
        || Planner.skipped(locked.definition(), after, through, reason).isEmpty()) {
      return List.of();
    }
    NavigableSet<Instant> taken = ahead.slots(locked.id(), after, through);
    if (locked.definition().isRuled()) {
      taken.addAll(decisions.kept(locked, after, through));
    }
    withdrawn.stream()
        .filter(run -> run.schedule() == locked.id())
        .map(Withdrawn::slot)
        .filter(slot -> slot.isAfter(after) && !slot.isAfter(through))
        .forEach(taken::add);
    var lines = new ArrayList<DecisionStore.Line>();
    Instant begin = after;
    for (Instant slot : taken) {
      addStretch(lines, locked, begin, slot.minus(1, ChronoUnit.MICROS), reason);
      begin = slot;
    }
    addStretch(lines, locked, begin, through, reason);
    return lines;
  }

  private static void addStretch(
      List<DecisionStore.Line> lines,
      LockedSchedule locked,
      Instant after,
      Instant through,
      Reason reason) {
    if (after.isBefore(through)) {
      Planner.skipped(locked.definition(), after, through, reason)
          .map(
              droppedSlots ->
                  new DecisionStore.Line(locked.id(), locked.schedule().version(), droppedSlots))
          .ifPresent(lines::add);
    }
  }

  /** Return decisions about past slots of withdrawn runs, one for adjacent slots. */
  static List<DecisionStore.Line> withdrawn(
      LockedSchedule locked, Instant now, Reason reason, List<Withdrawn> withdrawn) {
    List<Withdrawn> passed =
        withdrawn.stream()
            .filter(run -> run.schedule() == locked.id() && !run.slot().isAfter(now))
            .sorted(Comparator.comparing(Withdrawn::slot))
            .toList();
    Timing timing = locked.definition().timing();
    var lines = new ArrayList<DecisionStore.Line>();
    for (int first = 0, end; first < passed.size(); first = end) {
      end = first + 1;
      while (end < passed.size() && follows(timing, passed.get(end - 1), passed.get(end))) {
        end++;
      }
      lines.add(
          new DecisionStore.Line(
              locked.id(),
              passed.get(first).version(),
              new DroppedSlots(
                  passed.get(first).slot(), passed.get(end - 1).slot(), end - first, reason)));
    }
    return lines;
  }

  private static boolean follows(Timing timing, Withdrawn before, Withdrawn after) {
    return before.version() == after.version()
        && timing.next(before.slot()).filter(after.slot()::equals).isPresent();
  }
}
