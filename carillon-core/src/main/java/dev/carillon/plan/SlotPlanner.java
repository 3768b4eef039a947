package dev.carillon.plan;

import dev.carillon.model.Definition;
import dev.carillon.model.DroppedSlots;
import dev.carillon.model.DroppedSlots.Reason;
import dev.carillon.plan.PlannedRun.Sequel;
import dev.carillon.policy.CatchUp;
import dev.carillon.time.Timing;
import dev.carillon.time.Window;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Plans the slots of a timing.
 *
 * <p>In the order of time: slots before the window, missed slots that do not run, missed slots that
 * catch-up runs, slots that are late or still to come. So everything dropped lies before everything
 * that runs.
 */
final class SlotPlanner {
  /** The most late and coming slots one plan makes runs of; the next plan goes on from there. */
  static final int MAX_AHEAD = 1_000;

  private final Standing standing;
  private final Timing timing;
  private final Window window;
  private final Instant now;
  private final Instant horizon;
  private final int most;

  private SlotPlanner(Standing standing, Instant now, Instant horizon, int most) {
    this.standing = standing;
    this.timing = standing.definition().timing();
    this.window = standing.definition().window();
    this.now = now;
    this.horizon = horizon;
    this.most = most;
  }

  static Plan plan(Standing standing, Instant now, Instant horizon, int most) {
    return new SlotPlanner(standing, now, horizon, most).plan();
  }

  private Plan plan() {
    Instant after = standing.plannedThrough();
    long left = standing.runsLeft();
    if (left == 0) {
      return Plan.nothing(standing, after, Optional.empty(), Optional.empty(), true);
    }
    Instant through = reach();
    var drops = new DropCollector(timing, standing.settled());
    if (after.isBefore(window.from())) {
      Instant opening = Instants.justBefore(window.from());
      drops.add(after, Instants.earlier(opening, through), Reason.OUTSIDE_WINDOW);
    }
    var missed = new MissedSlots(standing, now);
    MissedSlots.Chosen chosen = missed.choose(most);
    missed.dropInto(drops, chosen);

    List<PlannedRun> runs = new ArrayList<>(caughtUp(first(left, chosen.now())));
    Optional<CatchUpSummary> caughtUp = caughtUp(runs, drops);
    if (chosen.left().isPresent() && runs.size() < left) {
      return behind(runs, drops, chosen.left().get()).catchingUp(caughtUp);
    }
    List<Instant> ahead = ahead(missed.through(), through, left - runs.size());
    if (ahead.size() > MAX_AHEAD) {
      ahead = first(MAX_AHEAD, ahead);
      through = ahead.get(MAX_AHEAD - 1);
    }
    ahead.forEach(slot -> runs.add(new PlannedRun(slot, dueAt(slot), Optional.empty())));
    if (runs.size() == left) {
      through = last(runs).slot();
    }
    return ending(runs, drops, through, runs.size() == left).catchingUp(caughtUp);
  }

  /** Say for how many missed slots {@code runs} make up, those that were dropped included. */
  private static Optional<CatchUpSummary> caughtUp(List<PlannedRun> runs, DropCollector drops) {
    if (runs.isEmpty()) {
      return Optional.empty();
    }
    List<DroppedSlots> missed =
        drops.list().stream()
            .filter(drop -> drop.reason() == Reason.MISSED || drop.reason() == Reason.LIMIT)
            .toList();
    Instant first = runs.get(0).slot();
    return Optional.of(
        new CatchUpSummary(
            missed.stream().map(DroppedSlots::first).reduce(first, Instants::earlier),
            last(runs).slot(),
            runs.size() + missed.stream().mapToLong(DroppedSlots::slots).sum(),
            runs.size()));
  }

  /** Close a plan that leaves missed slots, the first of them {@code next}, for a later turn. */
  private Plan behind(List<PlannedRun> runs, DropCollector drops, Instant next) {
    Instant through = next.minus(1, ChronoUnit.MICROS); // the resolution of the database
    return new Plan(
        runs,
        drops.list(),
        Instants.later(standing.plannedThrough(), through),
        Optional.of(next),
        Optional.of(next),
        standing.plannedRuns() + runs.size(),
        true,
        Optional.empty(),
        false);
  }

  /**
   * Close the plan: say where to go on, or who says that the schedule is at its end. At a coming
   * pause, the end of the pause says where to go on.
   */
  private Plan ending(List<PlannedRun> runs, DropCollector drops, Instant through, boolean used) {
    Definition definition = standing.definition();
    Optional<Instant> next = used ? Optional.empty() : window.next(timing, through);
    if (next.filter(standing::isPaused).isPresent()) {
      return new Plan(
          runs,
          drops.list(),
          through,
          Optional.empty(),
          Optional.empty(),
          standing.plannedRuns() + runs.size(),
          false,
          Optional.empty(),
          false);
    }
    /* A slot after the last run can only be one that has a run already, and that one is silent. */
    boolean retires =
        next.isEmpty()
            && !runs.isEmpty()
            && window.between(timing, last(runs).slot(), through).count() <= 0;
    if (retires) {
      PlannedRun last = last(runs);
      runs.set(
          runs.size() - 1, new PlannedRun(last.slot(), last.dueAt(), Optional.of(Sequel.RETIRE)));
    }
    return new Plan(
        runs,
        drops.list(),
        through,
        next,
        next.map(slot -> Planner.planBy(definition, standing.key(), slot)),
        standing.plannedRuns() + runs.size(),
        false,
        Optional.empty(),
        next.isEmpty() && !retires);
  }

  /**
   * Return how far to plan: to a coming pause at most, else to the horizon, or to a slot beyond it
   * that jitter makes due by then. There is at most one, since jitter moves no slot before the
   * middle between it and the one before.
   */
  private Instant reach() {
    Instant through = Instants.later(standing.plannedThrough(), horizon);
    Instant reach =
        window.next(timing, through).filter(slot -> !dueAt(slot).isAfter(horizon)).orElse(through);
    return Instants.later(standing.plannedThrough(), standing.beforePause(reach));
  }

  /** Return the slots that are late or to come, up to one more than a plan may have. */
  private List<Instant> ahead(Instant missedThrough, Instant through, long left) {
    Instant after = Instants.later(standing.plannedThrough(), missedThrough);
    return window.between(timing, after, through).stream()
        .filter(slot -> !standing.settled().contains(slot))
        .limit(Math.min(left, MAX_AHEAD + 1))
        .toList();
  }

  private List<PlannedRun> caughtUp(List<Instant> slots) {
    CatchUp.Mode mode = standing.definition().catchUp().mode();
    var runs = new ArrayList<PlannedRun>();
    for (Instant slot : slots) {
      Instant dueAt =
          switch (mode) {
            case SPREAD -> share(runs.size() + 1, slots.size());
            case ONCE -> Instants.later(dueAt(slot), now);
            default -> dueAt(slot);
          };
      runs.add(new PlannedRun(slot, dueAt, Optional.empty()));
    }
    return runs;
  }

  /** Return the end of part {@code part} of the time until the horizon, cut in {@code parts}. */
  private Instant share(int part, int parts) {
    return now.plus(Duration.between(now, horizon).multipliedBy(part).dividedBy(parts));
  }

  private Instant dueAt(Instant slot) {
    return standing.definition().jitter().dueAt(timing, standing.key(), slot);
  }

  private static <T> List<T> first(long most, List<T> list) {
    return list.size() <= most ? list : list.subList(0, (int) most);
  }

  private static <T> T last(List<T> list) {
    return list.get(list.size() - 1);
  }
}
