package dev.carillon.plan;

import dev.carillon.model.Definition;
import dev.carillon.model.DroppedSlots;
import dev.carillon.model.DroppedSlots.Reason;
import dev.carillon.plan.PlannedRun.Sequel;
import dev.carillon.plan.SlotDue.Obstacle;
import dev.carillon.policy.CatchUp;
import dev.carillon.time.Timing;
import dev.carillon.time.Window;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Plans the slots of a timing whose due times a calendar or quiet hours move. Slots are planned in
 * their order, up to the last one that is due by the horizon; late and missed are told by due
 * times.
 */
final class RulePlanner {
  private final Standing standing;
  private final Definition definition;
  private final Instant horizon;
  private final MissedDues dues;
  private final MergedSlots mergedSlots;
  private final LateStarts late;

  private final Map<Instant, Instant> merged = new HashMap<>();
  private final List<SlotDue> runnable = new ArrayList<>();

  private RulePlanner(Standing standing, Instant now, Instant horizon) {
    this.standing = standing;
    this.definition = standing.definition();
    this.horizon = horizon;
    this.dues = new MissedDues(standing, now);
    this.mergedSlots = new MergedSlots(standing);
    this.late = new LateStarts(standing, now, horizon, mergedSlots);
  }

  static Plan plan(Standing standing, Instant now, Instant horizon, int most) {
    return standing.runsLeft() == 0
        ? Plan.nothing(
            standing, standing.plannedThrough(), Optional.empty(), Optional.empty(), true)
        : new RulePlanner(standing, now, horizon).plan(most);
  }

  private Plan plan(int most) {
    JudgedSlots judged = JudgedSlots.upTo(standing, horizon);
    merge(judged.slots());
    List<SlotDue> missed = runnable.stream().filter(dues::isMissed).toList();
    Optional<Instant> rest = Optional.of(judged.through()).filter(end -> judged.cut());
    List<SlotDue> chosen = dues.choose(missed, rest);
    boolean all = definition.catchUp().mode() == CatchUp.Mode.ALL;
    Optional<Instant> left =
        all && chosen.size() > most ? Optional.of(chosen.get(most).slot()) : Optional.empty();
    Set<SlotDue> catching = new HashSet<>(all ? first(most, chosen) : chosen);
    Set<SlotDue> dropped = new HashSet<>(missed);
    dropped.removeAll(chosen);

    Instant through = judged.through();
    List<SlotDue> running = new ArrayList<>();
    for (SlotDue slot : runnable) {
      boolean comesLater = left.filter(next -> !slot.slot().isBefore(next)).isPresent();
      if (!comesLater && (dropped.isEmpty() || !dropped.contains(slot))) {
        running.add(slot);
      }
    }
    int bound = SlotPlanner.MAX_AHEAD + catching.size();
    long shares =
        catching.isEmpty()
            ? 0
            : first(Math.min(bound, standing.runsLeft()), running).stream()
                .filter(catching::contains)
                .count();
    running = late.startable(running, catching, (int) shares);
    boolean behind = left.isPresent();
    if (behind) {
      through = left.get().minus(1, ChronoUnit.MICROS); // the resolution of the database
    }
    if (running.size() > bound) {
      running = first(bound, running);
      through = last(running).slot();
      behind = false;
    }
    boolean used = running.size() >= standing.runsLeft();
    if (used) {
      running = first(standing.runsLeft(), running);
      through = last(running).slot();
      behind = false;
    }
    through = Instants.later(standing.plannedThrough(), through);
    List<DroppedSlots> drops = drops(judged.slots(), dropped, through);
    List<PlannedRun> runs = runs(running);
    Optional<CatchUpSummary> caughtUp = caughtUp(running, catching, drops);
    return ending(new Outcome(runs, drops, through, behind, used)).catchingUp(caughtUp);
  }

  private record Outcome(
      List<PlannedRun> runs,
      List<DroppedSlots> drops,
      Instant through,
      boolean behind,
      boolean used) {}

  private void merge(List<SlotDue> slots) {
    for (SlotDue slot : slots) {
      if (slot.runs() && !isSettled(slot.slot())) {
        mergedSlots
            .runFor(slot)
            .ifPresentOrElse(into -> merged.put(slot.slot(), into), () -> runnable.add(slot));
      }
    }
  }

  private boolean isSettled(Instant slot) {
    return standing.settled().contains(slot) || standing.moves().decided().contains(slot);
  }

  /* What is merged into a slot that was missed was missed with it. */
  private List<DroppedSlots> drops(List<SlotDue> slots, Set<SlotDue> missed, Instant through) {
    var reasons = new HashMap<Instant, Reason>();
    missed.forEach(slot -> reasons.put(slot.slot(), missedReason(slot)));
    var before = new DropCollector(definition.timing(), standing.settled());
    Instant from = definition.window().forSlots(definition.timing()).from();
    if (standing.plannedThrough().isBefore(from)) {
      Instant opening = Instants.justBefore(from);
      before.add(
          standing.plannedThrough(), Instants.earlier(opening, through), Reason.OUTSIDE_WINDOW);
    }
    var stretches = new DropStretches();
    for (SlotDue slot : slots) {
      if (slot.slot().isAfter(through)) {
        break;
      }
      Optional<Instant> into =
          Optional.ofNullable(merged.get(slot.slot()))
              .map(run -> late.joined(run).orElse(run))
              .or(() -> late.joined(slot.slot()));
      Reason reason = reasons.get(into.orElse(slot.slot()));
      Optional<Obstacle> quiet = late.obstacle(into.orElse(slot.slot()));
      if (isSettled(slot.slot())) {
        stretches.breakOff();
      } else if (slot.obstacle().isPresent()) {
        stretches.add(slot.slot(), slot.obstacle().get());
      } else if (quiet.isPresent()) {
        stretches.add(slot.slot(), quiet.get());
      } else if (reason != null) {
        stretches.add(slot.slot(), reason);
      } else if (into.isPresent()) {
        stretches.addMerged(slot.slot(), into.get());
      } else {
        stretches.breakOff();
      }
    }
    var all = new ArrayList<>(before.list());
    all.addAll(stretches.list());
    return all;
  }

  private Reason missedReason(SlotDue slot) {
    CatchUp.Mode mode = definition.catchUp().mode();
    boolean many = mode == CatchUp.Mode.ALL || mode == CatchUp.Mode.SPREAD;
    return many && !dues.isTooOld(slot) ? Reason.LIMIT : Reason.MISSED;
  }

  private List<PlannedRun> runs(List<SlotDue> running) {
    var runs = new ArrayList<PlannedRun>();
    for (SlotDue slot : running) {
      runs.add(new PlannedRun(slot.slot(), late.dueAt(slot), Optional.empty()));
    }
    return runs;
  }

  private static Optional<CatchUpSummary> caughtUp(
      List<SlotDue> running, Set<SlotDue> catching, List<DroppedSlots> drops) {
    List<Instant> runs = running.stream().filter(catching::contains).map(SlotDue::slot).toList();
    if (runs.isEmpty()) {
      return Optional.empty();
    }
    List<DroppedSlots> missed =
        drops.stream()
            .filter(drop -> drop.reason() == Reason.MISSED || drop.reason() == Reason.LIMIT)
            .toList();
    return Optional.of(
        new CatchUpSummary(
            missed.stream().map(DroppedSlots::first).reduce(runs.get(0), Instants::earlier),
            last(runs),
            runs.size() + missed.stream().mapToLong(DroppedSlots::slots).sum(),
            runs.size()));
  }

  private Plan ending(Outcome outcome) {
    Window window = definition.window();
    Instant through = outcome.through;
    Optional<Instant> next =
        outcome.used ? Optional.empty() : window.next(definition.timing(), through);
    boolean pausing = next.filter(standing::isPaused).isPresent();
    boolean retires =
        next.isEmpty()
            && !outcome.runs.isEmpty()
            && !hasOtherRuns(last(outcome.runs).slot(), through);
    if (retires) {
      retireAfterLastDue(outcome.runs);
    }
    Optional<Instant> following = pausing ? Optional.empty() : next;
    return new Plan(
        outcome.runs,
        outcome.drops,
        through,
        following,
        following.map(slot -> outcome.behind ? slot : planBy(slot)),
        standing.plannedRuns() + outcome.runs.size(),
        outcome.behind,
        Optional.empty(),
        next.isEmpty() && !retires);
  }

  /* One that has a run already, which is silent. */
  private boolean hasOtherRuns(Instant after, Instant through) {
    Timing timing = definition.timing();
    return standing
        .settled()
        .subSet(Instants.justAfter(after), Instants.justAfter(through))
        .stream()
        .anyMatch(
            slot ->
                definition.window().forSlots(definition.timing()).contains(slot)
                    && timing.matches(slot));
  }

  private Instant planBy(Instant slot) {
    return Planner.planBy(standing.key(), definition, standing.moves().rule(), slot, pauseEdge());
  }

  private Instant pauseEdge() {
    return standing.beforePause(Instant.MAX);
  }

  private static void retireAfterLastDue(List<PlannedRun> runs) {
    int last = 0;
    for (int i = 1; i < runs.size(); i++) {
      last = runs.get(i).dueAt().isBefore(runs.get(last).dueAt()) ? last : i;
    }
    PlannedRun run = runs.get(last);
    runs.set(last, new PlannedRun(run.slot(), run.dueAt(), Optional.of(Sequel.RETIRE)));
  }

  private static <T> List<T> first(long most, List<T> list) {
    return list.size() <= most ? list : list.subList(0, (int) most);
  }

  private static <T> T last(List<T> list) {
    return list.get(list.size() - 1);
  }
}
