package dev.carillon;

import dev.carillon.definition.FieldLimits;
import dev.carillon.model.CalendarDefinition;
import dev.carillon.model.Definition;
import dev.carillon.model.Pause;
import dev.carillon.model.QuietHoursDefinition;
import dev.carillon.model.SimulatedSchedule;
import dev.carillon.plan.ScheduleSimulation;
import dev.carillon.plan.Uptime;
import dev.carillon.policy.PolicyDefaults;
import dev.carillon.store.calendar.RuleBook;
import dev.carillon.time.InvalidValueException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;

/**
 * Tells what would become of schedules over a period: the planning of the real scheduler with moved
 * time and all policies, without a database and without running anything. Immutable.
 *
 * <pre>{@code
 * Simulation.between(from, to).runTime(Duration.ofMinutes(5)).of(draft)
 * }</pre>
 */
public final class Simulation {
  /** The longest period. */
  public static final Duration MAX_PERIOD = Duration.ofDays(366);

  /** The most runs of a schedule. */
  public static final int MAX_RUNS = 100_000;

  /** The longest time that a run may be assumed to take. */
  public static final Duration MAX_RUN_TIME = Duration.ofDays(31);

  private final Instant from;
  private final Instant to;
  private final Duration runTime;
  private final List<Uptime.Span> outages;
  private final int mostRuns;
  private final RuleBook rules;

  private Simulation(
      Instant from,
      Instant to,
      Duration runTime,
      List<Uptime.Span> outages,
      int mostRuns,
      RuleBook rules) {
    this.rules = rules;
    this.from = from;
    this.to = to;
    this.runTime = runTime;
    this.outages = List.copyOf(outages);
    this.mostRuns = mostRuns;
  }

  /** Look at the slots from {@code from} until before {@code to}; runs take no time. */
  public static Simulation between(Instant from, Instant to) {
    Instant first = FieldLimits.instant("from", from);
    Instant last = FieldLimits.instant("to", to);
    check("to", first, last, MAX_PERIOD, "a simulation");
    return new Simulation(first, last, Duration.ZERO, List.of(), MAX_RUNS, RuleBook.EMPTY);
  }

  private static void check(String field, Instant from, Instant to, Duration most, String what) {
    if (!to.isAfter(from)) {
      throw new InvalidValueException(
          field, "%s must end after it begins; was from %s to %s".formatted(what, from, to));
    }
    if (Duration.between(from, to).compareTo(most) > 0) {
      throw new InvalidValueException(
          field,
          "%s covers at most %s days; was from %s to %s; ask for a part of it"
              .formatted(what, most.toDays(), from, to));
    }
  }

  /** Assume that each run takes {@code time}. */
  public Simulation runTime(Duration time) {
    if (time.isNegative() || time.compareTo(MAX_RUN_TIME) > 0) {
      throw new InvalidValueException(
          "runTime",
          "a run takes from 0s to %s days; was %s".formatted(MAX_RUN_TIME.toDays(), time));
    }
    return new Simulation(from, to, time, outages, mostRuns, rules);
  }

  /** Assume that no node runs from {@code begin} until {@code end}. */
  public Simulation outage(Instant begin, Instant end) {
    Instant first = FieldLimits.instant("outage", begin);
    Instant last = FieldLimits.instant("outage", end);
    check("outage", first, last, MAX_PERIOD, "an outage");
    var more = new ArrayList<>(outages);
    more.add(new Uptime.Span(first, last));
    return new Simulation(from, to, runTime, more, mostRuns, rules);
  }

  /** Stop after {@code most} runs of a schedule, and say where. */
  public Simulation mostRuns(int most) {
    ScheduleLimits.count(most, MAX_RUNS);
    return new Simulation(from, to, runTime, outages, most, rules);
  }

  /** Let schedules follow these calendars, and keep these quiet hours. */
  public Simulation rules(
      Collection<CalendarDefinition> calendars, Collection<QuietHoursDefinition> quietHours) {
    RuleBook book = RuleBook.of(calendars, quietHours);
    return new Simulation(from, to, runTime, outages, mostRuns, book);
  }

  /** Tell what would become of {@code draft} if it were stored when the period begins. */
  public SimulatedSchedule of(ScheduleDraft draft) {
    return of(draft, Optional.empty());
  }

  /** Tell the same of a schedule that is paused, or will be. */
  public SimulatedSchedule of(ScheduleDraft draft, Pause pause) {
    return of(draft, Optional.of(pause));
  }

  private SimulatedSchedule of(ScheduleDraft draft, Optional<Pause> pause) {
    Definition said = draft.definition(from, PolicyDefaults.BUILT_IN);
    Definition definition = said.with(one -> one.timing = rules.zoned(said.timing()));
    rules.check(draft.key(), definition, from);
    return ScheduleSimulation.of(
        new ScheduleSimulation.Subject(draft.key(), definition, pause, rules.ruleOf(definition)),
        new ScheduleSimulation.Assumptions(new Uptime(from, to, outages), runTime, mostRuns));
  }
}
