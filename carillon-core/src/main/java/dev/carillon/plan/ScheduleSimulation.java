package dev.carillon.plan;

import dev.carillon.model.Definition;
import dev.carillon.model.DroppedSlots;
import dev.carillon.model.Pause;
import dev.carillon.model.SimulatedSchedule;
import dev.carillon.policy.Pacing;
import dev.carillon.time.DueRule;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;

/**
 * Plans a schedule over a period as nodes would, with moved time, and lets its runs start and end.
 * Pure: no clock, no database, and nothing runs.
 */
public final class ScheduleSimulation {
  /* How far ahead nodes plan, over which catch-up spreads what was missed. */
  private static final Duration LOOKAHEAD = Duration.ofMinutes(1);

  private final String key;
  private final Definition definition;
  private final Optional<Pause> pause;
  private final DueRule rule;
  private final Assumptions assumptions;
  private final List<PlannedRun> planned = new ArrayList<>();
  private final List<DroppedSlots> dropped = new ArrayList<>();
  private DueMoves moves;
  private Standing standing;
  private Optional<Instant> cutAt = Optional.empty();
  private boolean over;

  /**
   * What is assumed.
   *
   * @param uptime when nodes run
   * @param runTime how long each run takes
   * @param mostRuns after how many runs to stop
   */
  public record Assumptions(Uptime uptime, Duration runTime, int mostRuns) {}

  /** A schedule that has made no runs before, and what moves the due times of its slots. */
  public record Subject(String key, Definition definition, Optional<Pause> pause, DueRule rule) {}

  private ScheduleSimulation(Subject subject, Assumptions assumptions) {
    this.key = subject.key;
    this.definition = subject.definition;
    this.pause = subject.pause;
    this.rule = subject.rule;
    this.moves = DueMoves.by(subject.rule);
    this.assumptions = assumptions;
    Instant from = assumptions.uptime.from();
    Optional<Instant> pauseFrom =
        pause
            .map(some -> some.from().orElse(from))
            .map(begin -> SlotsToCome.from(definition.timing(), rule, begin));
    standing = standing(come(from.minus(1, ChronoUnit.MICROS)), 0, pauseFrom);
  }

  /* The instant up to which the slots have come by `instant`. */
  private Instant come(Instant instant) {
    return SlotsToCome.after(definition.timing(), rule, instant);
  }

  /** Tell what would become of the slots of {@code subject}. */
  public static SimulatedSchedule of(Subject subject, Assumptions assumptions) {
    var simulation = new ScheduleSimulation(subject, assumptions);
    return subject.definition.pacing() == Pacing.FINISH
        ? simulation.afterFinish()
        : simulation.bySlots();
  }

  private Standing standing(Instant through, long plannedRuns, Optional<Instant> pauseFrom) {
    return new Standing(
        1, key, 1, definition, through, new TreeSet<>(), plannedRuns, pauseFrom, moves);
  }

  private SimulatedSchedule bySlots() {
    for (Uptime.Span up : assumptions.uptime.spans()) {
      plan(up.from(), up.to());
      Optional<Instant> resumeAt = resumeAt(up);
      if (resumeAt.isPresent() && !isOver()) {
        dropPaused(come(resumeAt.get()));
        standing = standing(come(resumeAt.get()), standing.plannedRuns(), Optional.empty());
        plan(Instants.later(up.from(), resumeAt.get()), up.to());
      }
    }
    if (standing.pauseFrom().isPresent() && !isOver()) {
      dropPaused(come(assumptions.uptime.to().minus(1, ChronoUnit.MICROS)));
    }
    var lane = new SimulatedLane(definition, assumptions.runTime, assumptions.uptime);
    planned.stream()
        .sorted(Comparator.comparing(PlannedRun::dueAt).thenComparing(PlannedRun::slot))
        .forEach(lane::come);
    return new SimulatedSchedule(key, lane.end(), dropped, cutAt);
  }

  private boolean isOver() {
    return over || cutAt.isPresent();
  }

  private Optional<Instant> resumeAt(Uptime.Span up) {
    return standing
        .pauseFrom()
        .flatMap(from -> pause)
        .flatMap(Pause::until)
        .filter(until -> until.isBefore(up.to()));
  }

  private void dropPaused(Instant through) {
    Planner.skipped(definition, standing.plannedThrough(), through, DroppedSlots.Reason.PAUSED)
        .ifPresent(dropped::add);
  }

  /* After an outage nodes plan as far as they always do, which is where catch-up spreads. */
  private void plan(Instant now, Instant end) {
    Instant last = end.minus(1, ChronoUnit.MICROS);
    Instant horizon = Instants.earlier(last, now.plus(LOOKAHEAD));
    while (!isOver() && now.isBefore(end)) {
      Plan plan = Planner.plan(standing, now, horizon);
      plan.dropped().stream().filter(this::isInPeriod).forEach(dropped::add);
      planned.addAll(plan.runs());
      standing = standing.after(plan);
      moves = standing.moves();
      over = plan.nextSlot().isEmpty() && (plan.complete() || retires(plan));
      if (planned.size() > assumptions.mostRuns) {
        cut();
      } else if (plan.nextSlot().isEmpty()) {
        return;
      } else if (!plan.behind() && !plan.nextSlot().get().isAfter(last)) {
        horizon = last;
      } else if (!plan.behind()) {
        return;
      }
    }
  }

  private static boolean retires(Plan plan) {
    return plan.runs().stream().anyMatch(run -> run.sequel().isPresent());
  }

  private boolean isInPeriod(DroppedSlots slots) {
    return slots.first().isBefore(assumptions.uptime.to());
  }

  private void cut() {
    List<PlannedRun> late = planned.subList(assumptions.mostRuns, planned.size());
    cutAt = Optional.of(late.get(0).slot());
    late.clear();
  }

  /* Each run decides when the next one is. */
  private SimulatedSchedule afterFinish() {
    var lane = new SimulatedLane(definition, assumptions.runTime, assumptions.uptime);
    Instant last = assumptions.uptime.to().minus(1, ChronoUnit.MICROS);
    Instant from = assumptions.uptime.from();
    standing = standing(from, 0, standing.pauseFrom());
    for (int runs = 0; !isOver(); runs++) {
      Plan plan = Planner.plan(standing, from, last);
      plan.dropped().stream().filter(this::isInPeriod).forEach(dropped::add);
      if (plan.runs().isEmpty()) {
        if (plan.plannedThrough().isAfter(standing.plannedThrough())) {
          standing = standing.after(plan); // over slots that are left out
        } else if (!resumesAfterFinish(plan)) {
          break;
        }
      } else if (runs >= assumptions.mostRuns) {
        cutAt = Optional.of(plan.runs().get(0).slot());
      } else {
        Instant end = lane.comeAlone(plan.runs().get(0));
        over = plan.runs().get(0).sequel().filter(PlannedRun.Sequel.RETIRE::equals).isPresent();
        standing = standing(end, plan.plannedRuns(), standing.pauseFrom());
      }
    }
    return new SimulatedSchedule(key, lane.end(), dropped, cutAt);
  }

  private boolean resumesAfterFinish(Plan plan) {
    Optional<Instant> until = standing.pauseFrom().flatMap(from -> pause).flatMap(Pause::until);
    if (until.isEmpty() || plan.complete() || plan.nextSlot().isPresent()) {
      return false;
    }
    standing =
        standing(
            Instants.later(standing.plannedThrough(), until.get()),
            standing.plannedRuns(),
            Optional.empty());
    return true;
  }
}
