package dev.carillon;

import dev.carillon.definition.FieldLimits;
import dev.carillon.model.Decision;
import dev.carillon.model.Definition;
import dev.carillon.model.Schedule;
import dev.carillon.model.ScheduleVersion;
import dev.carillon.model.SlotOutcome;
import dev.carillon.plan.DecidedSlots;
import dev.carillon.plan.DuePipeline;
import dev.carillon.plan.Forecast.Expected;
import dev.carillon.plan.SlotOutcomes;
import dev.carillon.store.jdbc.Database;
import dev.carillon.store.jdbc.Statements;
import dev.carillon.store.run.FireStore;
import dev.carillon.store.schedule.DecisionStore;
import dev.carillon.store.schedule.ScheduleStore;
import dev.carillon.time.InvalidValueException;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * Puts together what became of the slots of a schedule and what will: what the planner would do
 * first, then decisions, then runs, of which the latter overrule the former.
 */
final class Fires {
  private final Database database;
  private final FireStore store;
  private final DecisionStore decisions;

  Fires(Database database) {
    this.database = database;
    this.store = new FireStore(database);
    this.decisions = new DecisionStore(database);
  }

  /* The cursor is read before the runs: a slot that is planned in between is seen twice, not never. */
  List<SlotOutcome> of(Schedule schedule, Period period, Instant now, int limit) {
    Instant from = period.from;
    Instant to = period.to;
    var first = new First(limit);
    var definitions = new Definitions(schedule);
    store
        .forecast(database, schedule, now)
        .between(from, to)
        .limit(limit)
        .forEach(expected -> first.put(SlotOutcomes.expected(schedule.definition(), expected)));
    for (Decision decision : decisions.list(schedule.key(), from, to, limit)) {
      Definition definition = definitions.of(decision.version());
      DecidedSlots.of(decision, definition)
          .between(from, to)
          .takeWhile(first::wants)
          .forEach(
              slot -> first.put(SlotOutcomes.dropped(schedule.key(), definition, decision, slot)));
    }
    store
        .runs(schedule.id(), from, to, limit)
        .forEach(
            run ->
                first.put(
                    SlotOutcomes.ran(
                        definitions.of(run.version()),
                        run.id(),
                        run.dueAt(),
                        run.state(),
                        run.reason())));
    return first.list();
  }

  /** Return the slots after {@code after} up to {@code to} that run as things stand. */
  Stream<SlotOutcome> coming(
      Statements statements, Schedule schedule, Instant after, Instant to, Instant now) {
    var pipeline =
        new DuePipeline(
            schedule.key(), schedule.definition(), store.rule(statements, schedule.definition()));
    Stream<SlotOutcome> planned =
        store.slots(statements, schedule.id(), after).stream()
            .filter(slot -> !slot.isAfter(to))
            .map(
                slot ->
                    SlotOutcomes.expected(
                        schedule.definition(),
                        new Expected(slot, pipeline.judge(slot).dueAt(), Optional.empty())));
    Stream<SlotOutcome> expected =
        store
            .forecast(statements, schedule, now)
            .between(after.plusNanos(1), to)
            .filter(one -> one.obstacle().isEmpty())
            .map(one -> SlotOutcomes.expected(schedule.definition(), one));
    return FireMerge.of(planned, expected);
  }

  /** The time whose slots are asked for, both ends included. */
  record Period(Instant from, Instant to) {
    static Period of(Instant from, Instant to) {
      Instant first = FieldLimits.instant("from", from);
      Instant last = FieldLimits.instant("to", to);
      if (last.isBefore(first)) {
        throw new InvalidValueException(
            "fires are listed forward in time; was from " + from + " to " + to + "; swap them");
      }
      return new Period(first, last);
    }
  }

  /** The definitions a schedule has had, as far as they are asked for. */
  private final class Definitions {
    private final Schedule schedule;
    private final Map<Integer, Definition> known = new HashMap<>();

    Definitions(Schedule schedule) {
      this.schedule = schedule;
      known.put(schedule.version(), schedule.definition());
    }

    Definition of(int version) {
      return known.computeIfAbsent(
          version,
          number ->
              ScheduleStore.version(database, schedule.key(), number)
                  .map(ScheduleVersion::definition)
                  .orElse(schedule.definition()));
    }
  }

  /** The first fires of all that are put, one per slot: the last one put. */
  private static final class First {
    private final int limit;
    private final TreeMap<Instant, SlotOutcome> bySlot = new TreeMap<>();

    First(int limit) {
      this.limit = limit;
    }

    boolean wants(Instant slot) {
      return bySlot.size() < limit || !slot.isAfter(bySlot.lastKey());
    }

    void put(SlotOutcome slotOutcome) {
      if (wants(slotOutcome.slot())) {
        bySlot.put(slotOutcome.slot(), slotOutcome);
        if (bySlot.size() > limit) {
          bySlot.pollLastEntry();
        }
      }
    }

    List<SlotOutcome> list() {
      return List.copyOf(bySlot.values());
    }
  }
}
