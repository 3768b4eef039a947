package dev.carillon.plan;

import dev.carillon.model.Definition;
import dev.carillon.plan.PlannedRun.Sequel;
import dev.carillon.plan.SlotDue.Obstacle;
import dev.carillon.time.Due;
import dev.carillon.time.DueRule.HeldBack;
import dev.carillon.time.Every;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;

/**
 * Plans an interval measured from the end of a run: one slot at a time, which is never missed,
 * since the next one waits for it.
 */
final class AfterEndPlanner {
  private AfterEndPlanner() {}

  static Plan plan(Standing standing, Instant now, Instant horizon) {
    Definition definition = standing.definition();
    Instant through = standing.plannedThrough();
    Optional<Instant> next =
        standing.runsLeft() == 0 ? Optional.empty() : free(standing, next(definition, through));
    if (next.isEmpty()) {
      return Plan.nothing(standing, through, next, Optional.empty(), true);
    }
    Instant slot = next.get();
    if (standing.isPaused(slot)) {
      return Plan.nothing(standing, through, Optional.empty(), Optional.empty(), false);
    }
    if (slot.isAfter(horizon)) {
      return Plan.nothing(standing, through, next, next, false);
    }
    return standing.moves().isNone()
        ? running(
            standing, slot, definition.jitter().dueAt(definition.timing(), standing.key(), slot))
        : judged(standing, slot, now, horizon);
  }

  /* A slot that is left out counts as an end: the next one is a period after it. */
  private static Plan judged(Standing standing, Instant first, Instant now, Instant horizon) {
    Definition definition = standing.definition();
    var pipeline = new DuePipeline(standing.key(), definition, standing.moves().rule());
    var drops = new DropStretches();
    Instant through = standing.plannedThrough();
    Optional<Instant> next = Optional.of(first);
    for (int seen = 0; seen < JudgedSlots.MAX; seen++) {
      Instant slot = next.get();
      SlotDue judged = pipeline.judge(slot);
      Optional<Due> heldBack =
          judged.runs() && !judged.dueAt().isAfter(now)
              ? standing.moves().rule().heldBack(now).map(HeldBack::due)
              : Optional.empty();
      if (heldBack.isPresent() && heldBack.get() instanceof Due.At at) {
        return running(standing, slot, at.at()).dropping(drops.list());
      }
      if (judged.runs() && heldBack.isEmpty()) {
        return running(standing, slot, judged.dueAt()).dropping(drops.list());
      }
      drops.add(
          slot,
          heldBack.map(due -> Obstacle.of((Due.Dropped) due)).or(judged::obstacle).orElseThrow());
      through = slot;
      next = free(standing, next(definition, slot));
      if (next.filter(one -> !one.isAfter(horizon) && !standing.isPaused(one)).isEmpty()) {
        break;
      }
    }
    Optional<Instant> following = next.filter(one -> !standing.isPaused(one));
    return Plan.nothing(standing, through, following, following, next.isEmpty())
        .dropping(drops.list());
  }

  private static Plan running(Standing standing, Instant slot, Instant dueAt) {
    boolean last = standing.runsLeft() == 1 || next(standing.definition(), slot).isEmpty();
    var run =
        new PlannedRun(
            slot, Instants.later(slot, dueAt), Optional.of(last ? Sequel.RETIRE : Sequel.REPEAT));
    return new Plan(
        List.of(run),
        List.of(),
        slot,
        Optional.empty(),
        Optional.empty(),
        standing.plannedRuns() + 1,
        false,
        Optional.empty(),
        false);
  }

  /** Return the slot a period after {@code end}, in whole seconds; empty after the window. */
  static Optional<Instant> next(Definition definition, Instant end) {
    Instant slot = end.plus(period(definition));
    return Optional.of(wholeSecond(Instants.later(slot, definition.window().from())))
        .filter(definition.window()::contains);
  }

  /** Return an end of a run after which {@code slot} comes next. */
  static Instant endBefore(Definition definition, Instant slot) {
    return slot.minus(period(definition));
  }

  private static Duration period(Definition definition) {
    if (definition.timing() instanceof Every every) {
      return every.period();
    }
    throw new IllegalArgumentException(
        "only an interval can be measured from the end of a run; was '"
            + definition.timing().describe()
            + "'; use pacing slot");
  }

  /** Move a slot that has a run already to a second that has none, so that the beat goes on. */
  private static Optional<Instant> free(Standing standing, Optional<Instant> slot) {
    Optional<Instant> free = slot;
    while (free.isPresent() && standing.settled().contains(free.get())) {
      free = free.map(taken -> taken.plusSeconds(1));
    }
    return free.filter(standing.definition().window()::contains);
  }

  private static Instant wholeSecond(Instant instant) {
    Instant second = instant.truncatedTo(ChronoUnit.SECONDS);
    return second.equals(instant) ? second : second.plusSeconds(1);
  }
}
