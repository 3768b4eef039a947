package dev.carillon.store;

import dev.carillon.model.Dropped;
import dev.carillon.model.Dropped.Reason;
import dev.carillon.plan.Planner;
import dev.carillon.store.PlannedAhead.Withdrawn;
import dev.carillon.time.Timing;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.NavigableSet;

/** Slots that a change leaves without a run, as decisions. */
final class Backlog {
  private final PlannedAhead ahead;

  Backlog(PlannedAhead ahead) {
    this.ahead = ahead;
  }

  /**
   * Return decisions about the slots up to {@code through} that are neither runs nor decisions.
   *
   * @param withdrawn runs of the schedule that were just taken back; they are decided elsewhere
   */
  List<DecisionStore.Line> unplanned(
      Held held, Instant through, Reason reason, List<Withdrawn> withdrawn) {
    Instant after = held.plannedThrough();
    if (!held.owes(through)
        || !after.isBefore(through)
        || Planner.skipped(held.definition(), after, through, reason).isEmpty()) {
      return List.of();
    }
    NavigableSet<Instant> settled = ahead.slots(held.id(), after, through);
    withdrawn.stream()
        .filter(run -> run.schedule() == held.id())
        .map(Withdrawn::slot)
        .filter(slot -> slot.isAfter(after) && !slot.isAfter(through))
        .forEach(settled::add);
    var lines = new ArrayList<DecisionStore.Line>();
    Instant begin = after;
    for (Instant slot : settled) {
      addStretch(lines, held, begin, slot.minus(1, ChronoUnit.MICROS), reason);
      begin = slot;
    }
    addStretch(lines, held, begin, through, reason);
    return lines;
  }

  private static void addStretch(
      List<DecisionStore.Line> lines, Held held, Instant after, Instant through, Reason reason) {
    if (after.isBefore(through)) {
      Planner.skipped(held.definition(), after, through, reason)
          .map(dropped -> new DecisionStore.Line(held.id(), held.schedule().version(), dropped))
          .ifPresent(lines::add);
    }
  }

  /** Return decisions about passed slots of runs that a pause took back, neighbours as one. */
  static List<DecisionStore.Line> paused(Held held, Instant now, List<Withdrawn> withdrawn) {
    List<Withdrawn> passed =
        withdrawn.stream()
            .filter(run -> run.schedule() == held.id() && !run.slot().isAfter(now))
            .sorted(Comparator.comparing(Withdrawn::slot))
            .toList();
    Timing timing = held.definition().timing();
    var lines = new ArrayList<DecisionStore.Line>();
    for (int first = 0, end; first < passed.size(); first = end) {
      end = first + 1;
      while (end < passed.size() && follows(timing, passed.get(end - 1), passed.get(end))) {
        end++;
      }
      lines.add(
          new DecisionStore.Line(
              held.id(),
              passed.get(first).version(),
              new Dropped(
                  passed.get(first).slot(),
                  passed.get(end - 1).slot(),
                  end - first,
                  Reason.PAUSED)));
    }
    return lines;
  }

  private static boolean follows(Timing timing, Withdrawn before, Withdrawn after) {
    return before.version() == after.version()
        && timing.next(before.slot()).filter(after.slot()::equals).isPresent();
  }
}
