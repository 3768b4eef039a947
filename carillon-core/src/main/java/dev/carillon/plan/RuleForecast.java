package dev.carillon.plan;

import dev.carillon.model.Definition;
import dev.carillon.model.DroppedSlots;
import dev.carillon.model.Pause;
import dev.carillon.model.Schedule;
import dev.carillon.model.ScheduleStatus;
import dev.carillon.plan.Forecast.Expected;
import dev.carillon.time.DueRule;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** The forecast for slots whose due times are moved: planning's own steps, over and over. */
final class RuleForecast {
  private final Schedule schedule;
  private final Definition definition;
  private final Standing standing;
  private final DuePipeline pipeline;
  private final Instant now;

  /* The instant after which slots are to come when the pause ends. */
  private final Optional<Instant> resumedFrom;

  RuleForecast(Schedule schedule, Standing standing, Instant now) {
    this.schedule = schedule;
    this.definition = schedule.definition();
    this.standing = standing;
    this.pipeline = new DuePipeline(schedule.key(), definition, standing.moves().rule());
    this.now = now;
    resumedFrom =
        schedule
            .pause()
            .or(schedule::plannedPause)
            .flatMap(Pause::until)
            .map(until -> SlotsToCome.after(definition.timing(), standing.moves().rule(), until));
  }

  /** Return the undecided slots after {@code after} up to {@code to}, found as they are read. */
  Stream<Expected> between(Instant after, Instant to) {
    var expected = new ArrayList<Expected>();
    Standing current = standing;
    if (schedule.status() == ScheduleStatus.ACTIVE) {
      while (current.plannedThrough().isBefore(now)) {
        Plan plan = Planner.plan(current, now, now);
        add(plan, after, to, expected);
        current = current.after(plan);
        if (plan.nextSlot().isEmpty()) {
          break;
        }
      }
    }
    return Stream.concat(expected.stream(), coming(current, after, to));
  }

  private void add(Plan plan, Instant after, Instant to, List<Expected> expected) {
    var some = new ArrayList<Expected>();
    plan.runs().forEach(run -> some.add(new Expected(run.slot(), run.dueAt(), Optional.empty())));
    for (DroppedSlots dropped : plan.dropped()) {
      Instant first = Instants.later(after, Instants.justBefore(dropped.first()));
      for (Instant slot :
          definition.timing().between(first, Instants.earlier(to, dropped.last()))) {
        some.add(new Expected(slot, pipeline.judge(slot).dueAt(), Optional.of(dropped.why())));
      }
    }
    some.stream()
        .filter(one -> one.slot().isAfter(after) && !one.slot().isAfter(to))
        .sorted(Comparator.comparing(Expected::slot))
        .forEach(expected::add);
  }

  private Stream<Expected> coming(Standing current, Instant after, Instant to) {
    DueRule rule = standing.moves().rule();
    Instant start = current.plannedThrough();
    if (definition.maxRuns() == 0) {
      Instant near = after.minus(rule.maxAdvance()).minus(rule.maxDelay());
      start = Instants.later(start, Instants.earlier(near, after));
    }
    var merged = new MergedSlots(current);
    var left = new Counter(current.runsLeft());
    Instant end = Instants.earlier(to, definition.window().forSlots(definition.timing()).until());
    return definition.timing().between(start, end).stream()
        .takeWhile(slot -> left.most > 0)
        .filter(slot -> !isSettled(slot))
        .map(slot -> expected(slot, merged, left))
        .filter(one -> one.slot().isAfter(after));
  }

  private boolean isSettled(Instant slot) {
    return standing.settled().contains(slot) || standing.moves().decided().contains(slot);
  }

  private Expected expected(Instant slot, MergedSlots merged, Counter left) {
    SlotDue judged = pipeline.judge(slot);
    Optional<String> why =
        paused(slot)
            .or(() -> judged.obstacle().map(SlotDue.Obstacle::why))
            .or(() -> merged.runFor(judged).map(into -> "merged: " + into));
    if (why.isEmpty()) {
      left.most--;
    }
    return new Expected(slot, judged.dueAt(), why);
  }

  private Optional<String> paused(Instant slot) {
    Optional<Pause> pause = schedule.pause().or(schedule::plannedPause);
    boolean begun = schedule.status() == ScheduleStatus.PAUSED || standing.isPaused(slot);
    return pause
        .filter(one -> begun && resumedFrom.filter(slot::isAfter).isEmpty())
        .map(one -> "paused: " + one.reason());
  }

  private static final class Counter {
    private long most;

    Counter(long most) {
      this.most = most;
    }
  }
}
