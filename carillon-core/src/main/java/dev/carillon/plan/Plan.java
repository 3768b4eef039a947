package dev.carillon.plan;

import dev.carillon.model.DroppedSlots;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * What a schedule should do now.
 *
 * @param runs the runs to create, oldest first
 * @param dropped the slots that become none, oldest first
 * @param plannedThrough slots up to here are now runs or decisions
 * @param nextSlot the next slot to plan; empty if there is none, or none before a run has finished
 * @param planBy the horizon that must not pass without that slot being planned: the slot itself, or
 *     its due time, or that of a later one, if that is earlier
 * @param plannedRuns how many slots became runs so far
 * @param behind whether slots that were missed are left for a later turn, so that the next slot has
 *     passed
 * @param caughtUp how it makes up for missed slots; empty if none of them runs
 * @param complete whether the schedule is at its end and no run of this plan will say so
 */
public record Plan(
    List<PlannedRun> runs,
    List<DroppedSlots> dropped,
    Instant plannedThrough,
    Optional<Instant> nextSlot,
    Optional<Instant> planBy,
    long plannedRuns,
    boolean behind,
    Optional<CatchUpSummary> caughtUp,
    boolean complete) {

  public Plan {
    runs = List.copyOf(runs);
    dropped = List.copyOf(dropped);
  }

  /** Plan no runs and drop no slots. */
  static Plan nothing(
      Standing standing,
      Instant through,
      Optional<Instant> nextSlot,
      Optional<Instant> planBy,
      boolean complete) {
    long runs = standing.plannedRuns();
    return new Plan(
        List.of(), List.of(), through, nextSlot, planBy, runs, false, Optional.empty(), complete);
  }

  /** Return this plan, which drops {@code slots} before its runs. */
  Plan dropping(List<DroppedSlots> slots) {
    return new Plan(
        runs, slots, plannedThrough, nextSlot, planBy, plannedRuns, behind, caughtUp, complete);
  }

  /** Return this plan, which makes up for missed slots so. */
  Plan catchingUp(Optional<CatchUpSummary> how) {
    return new Plan(
        runs, dropped, plannedThrough, nextSlot, planBy, plannedRuns, behind, how, complete);
  }
}
