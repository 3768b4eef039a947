package dev.carillon.plan;

import dev.carillon.model.Definition;
import dev.carillon.model.DroppedSlots;
import dev.carillon.model.Pause;
import dev.carillon.model.Schedule;
import dev.carillon.model.ScheduleStatus;
import dev.carillon.policy.Pacing;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** Tells what will become of the slots of a schedule that are not decided yet. Pure. */
public final class Forecast {
  private final Schedule schedule;
  private final Definition definition;
  private final Standing standing;
  private final boolean open;
  private final Instant now;

  /**
   * Look ahead from where {@code standing} says that {@code schedule} is.
   *
   * @param open whether there is a slot to plan, rather than a run to wait for
   */
  public Forecast(Schedule schedule, Standing standing, boolean open, Instant now) {
    this.schedule = schedule;
    this.definition = schedule.definition();
    this.standing = standing;
    this.open = open;
    this.now = now;
  }

  /**
   * A slot that is not decided yet.
   *
   * @param slot the slot
   * @param dueAt when its run may start
   * @param obstacle why it becomes no run; empty if it does
   */
  public record Expected(Instant slot, Instant dueAt, Optional<String> obstacle) {}

  /** Return where the planning of the schedule stands. */
  public Standing standing() {
    return standing;
  }

  /** Return the undecided slots from {@code from} to {@code to}, oldest first, found as read. */
  public Stream<Expected> between(Instant from, Instant to) {
    Instant after = Instants.justBefore(from);
    if (schedule.status() == ScheduleStatus.RETIRED || standing.runsLeft() == 0) {
      return Stream.empty();
    }
    if (definition.pacing() == Pacing.FINISH) {
      return afterFinish().filter(slot -> slot.isAfter(after) && !slot.isAfter(to)).map(this::runs);
    }
    if (!standing.moves().isNone()) {
      return new RuleForecast(schedule, standing, now).between(after, to);
    }
    return schedule.status() == ScheduleStatus.PAUSED ? paused(after, to) : active(after, to);
  }

  /* Of those that wait for the end of a run, only the next is known. */
  private Stream<Instant> afterFinish() {
    if (schedule.status() == ScheduleStatus.PAUSED) {
      return endOfPause().flatMap(end -> Planner.next(definition, end)).stream();
    }
    if (!open) {
      return Stream.empty();
    }
    return Planner.next(definition, standing.plannedThrough())
        .flatMap(
            slot ->
                standing.isPaused(slot)
                    ? endOfPause().flatMap(end -> Planner.next(definition, end))
                    : Optional.of(slot))
        .stream();
  }

  private Optional<Pause> pause() {
    return schedule.pause().or(schedule::plannedPause);
  }

  private Optional<Instant> endOfPause() {
    return pause().flatMap(Pause::until);
  }

  private Stream<Expected> paused(Instant after, Instant to) {
    return paused(standing.plannedThrough(), after, to, standing.runsLeft());
  }

  /* The slots of a pause that begins after `begin`, and those after it. */
  private Stream<Expected> paused(Instant begin, Instant after, Instant to, long left) {
    Instant end = endOfPause().orElse(to);
    String why = "paused: " + pause().map(Pause::reason).orElse("");
    Instant start = Instants.later(after, begin);
    Stream<Expected> stopped =
        definition.window().between(definition.timing(), start, Instants.earlier(end, to)).stream()
            .filter(slot -> !standing.settled().contains(slot))
            .map(slot -> new Expected(slot, dueAt(slot), Optional.of(why)));
    if (endOfPause().isEmpty()) {
      return stopped;
    }
    Instant through = Instants.later(end, begin);
    return Chained.of(
        List.of(stopped, tooEarly(through, after, to), coming(through, after, to, left)));
  }

  /* What is overdue is up to the planner: in each plan, everything dropped lies before all runs. */
  private Stream<Expected> active(Instant after, Instant to) {
    var overdue = new ArrayList<Stream<Expected>>();
    Standing current = standing;
    while (current.plannedThrough().isBefore(now)) {
      Plan plan = Planner.plan(current, now, now);
      plan.dropped().forEach(droppedSlots -> overdue.add(dropped(droppedSlots, after, to)));
      overdue.add(
          plan.runs().stream()
              .filter(run -> run.slot().isAfter(after) && !run.slot().isAfter(to))
              .map(run -> new Expected(run.slot(), run.dueAt(), Optional.empty())));
      current = current.after(plan);
      if (plan.nextSlot().isEmpty()) {
        break;
      }
    }
    Instant through = current.plannedThrough();
    Instant last = standing.beforePause(to);
    overdue.add(tooEarly(through, after, last));
    overdue.add(coming(through, after, last, current.runsLeft()));
    if (standing.pauseFrom().isPresent()) {
      Instant begin = Instants.later(through, standing.beforePause(Instant.MAX));
      long left = current.runsLeft() - running(through, begin);
      overdue.add(left > 0 ? paused(begin, after, to, left) : Stream.empty());
    }
    return Chained.of(overdue);
  }

  /* How many slots after `through` up to `last` become runs, if as many may. */
  private long running(Instant through, Instant last) {
    return Math.max(0, definition.window().between(definition.timing(), through, last).count())
        - standing.settled().subSet(Instants.justAfter(through), Instants.justAfter(last)).size();
  }

  private Stream<Expected> tooEarly(Instant through, Instant after, Instant to) {
    Instant opening = definition.window().from();
    return opening.isAfter(through)
        ? definition
            .timing()
            .between(
                Instants.later(through, after), Instants.earlier(Instants.justBefore(opening), to))
            .stream()
            .filter(slot -> !standing.settled().contains(slot))
            .map(slot -> new Expected(slot, dueAt(slot), Optional.of("outside_window")))
        : Stream.empty();
  }

  private Stream<Expected> dropped(DroppedSlots droppedSlots, Instant after, Instant to) {
    String why = droppedSlots.why();
    return definition
        .timing()
        .between(
            Instants.later(after, Instants.justBefore(droppedSlots.first())),
            Instants.earlier(to, droppedSlots.last()))
        .stream()
        .map(slot -> new Expected(slot, dueAt(slot), Optional.of(why)));
  }

  /* Slots that become runs unless something happens: those after `through`, counted from there and
   * shown from `after` on. */
  private Stream<Expected> coming(Instant through, Instant after, Instant to, long left) {
    Instant start = Instants.later(through, after);
    long skipped =
        definition.window().between(definition.timing(), through, start).count()
            - standing
                .settled()
                .subSet(Instants.justAfter(through), Instants.justAfter(start))
                .size();
    if (left - Math.max(0, skipped) <= 0) {
      return Stream.empty();
    }
    return definition.window().between(definition.timing(), start, to).stream()
        .filter(slot -> !standing.settled().contains(slot))
        .limit(left == Long.MAX_VALUE ? left : left - Math.max(0, skipped))
        .map(this::runs);
  }

  /* An interval after the end of a run may be told to wait, or to leave a slot out, as well. */
  private Expected runs(Instant slot) {
    SlotDue judged =
        new DuePipeline(schedule.key(), definition, standing.moves().rule()).judge(slot);
    return new Expected(
        slot,
        definition.pacing() == Pacing.FINISH
            ? Instants.later(slot, judged.dueAt())
            : judged.dueAt(),
        judged.obstacle().map(SlotDue.Obstacle::why));
  }

  private Instant dueAt(Instant slot) {
    return definition.jitter().dueAt(definition.timing(), schedule.key(), slot);
  }
}
