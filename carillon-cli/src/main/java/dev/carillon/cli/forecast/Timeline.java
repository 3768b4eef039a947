package dev.carillon.cli.forecast;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.carillon.Simulation;
import dev.carillon.cli.console.CountText;
import dev.carillon.cli.console.Json;
import dev.carillon.cli.console.TerminalText;
import dev.carillon.model.DroppedSlots;
import dev.carillon.model.SimulatedRun;
import dev.carillon.model.SimulatedSchedule;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * What a simulation told of a number of schedules.
 *
 * @param from the beginning of the period
 * @param to its end, which is not part of it
 * @param outages when no node runs
 * @param schedules what becomes of each schedule
 * @param leftOut how many schedules were not looked at, as there were too many runs before
 */
record Timeline(
    Instant from, Instant to, List<Span> outages, List<SimulatedSchedule> schedules, int leftOut) {
  static final int MAX_RUNS = 100_000;

  /** A stretch of time. */
  record Span(Instant from, Instant to) {}

  /** The time that is looked at, and when no node runs in it. */
  record Period(Instant from, Instant to, List<Span> outages) {}

  static Timeline of(
      Simulation simulation, Period period, List<SimulationSource.Entry> entries, int limit) {
    var schedules = new ArrayList<SimulatedSchedule>();
    int left = MAX_RUNS;
    for (SimulationSource.Entry entry : entries) {
      if (left == 0) {
        break;
      }
      Simulation bounded = simulation.mostRuns(Math.min(left, limit));
      SimulatedSchedule schedule =
          entry
              .pause()
              .map(pause -> bounded.of(entry.draft(), pause))
              .orElseGet(() -> bounded.of(entry.draft()));
      left -= schedule.runs().size();
      schedules.add(schedule);
    }
    return new Timeline(
        period.from, period.to, period.outages, schedules, entries.size() - schedules.size());
  }

  long runs() {
    return schedules.stream().mapToLong(schedule -> schedule.runs().size()).sum();
  }

  /** Say what is not shown. */
  List<String> warnings() {
    var warnings = new ArrayList<String>();
    for (SimulatedSchedule schedule : schedules) {
      schedule
          .cutAt()
          .ifPresent(
              slot ->
                  warnings.add(
                      "%s was cut after %s, at %s; choose a shorter period, or raise --limit"
                          .formatted(
                              TerminalText.line(schedule.key()),
                              CountText.of(schedule.runs().size(), "run", "runs"),
                              slot)));
    }
    if (leftOut > 0) {
      warnings.add(
          "%s left out, as those before have %s runs; choose a shorter period, or fewer schedules"
              .formatted(CountText.of(leftOut, "schedule was", "schedules were"), MAX_RUNS));
    }
    return warnings;
  }

  ObjectNode json() {
    ObjectNode json = Json.object();
    json.put("from", from.toString()).put("to", to.toString());
    ArrayNode gaps = json.putArray("outages");
    outages.forEach(
        gap -> gaps.addObject().put("from", gap.from().toString()).put("to", gap.to().toString()));
    ArrayNode all = json.putArray("schedules");
    for (SimulatedSchedule schedule : schedules) {
      ObjectNode one = all.addObject().put("key", schedule.key());
      ArrayNode runs = one.putArray("runs");
      schedule.runs().forEach(run -> put(runs.addObject(), run));
      ArrayNode dropped = one.putArray("dropped");
      schedule.dropped().forEach(slots -> put(dropped.addObject(), slots));
      one.put("cutAt", schedule.cutAt().map(Object::toString).orElse(null));
    }
    return json.put("leftOut", leftOut);
  }

  private static void put(ObjectNode json, SimulatedRun run) {
    json.put("slot", run.slot().toString())
        .put("dueAt", run.dueAt().toString())
        .put("startedAt", run.startedAt().map(Object::toString).orElse(null))
        .put("finishedAt", run.finishedAt().toString())
        .put("outcome", word(run.outcome()))
        .put("reason", run.reason().isEmpty() ? null : run.reason());
  }

  private static void put(ObjectNode json, DroppedSlots slots) {
    json.put("first", slots.first().toString())
        .put("last", slots.last().toString())
        .put("slots", slots.slots())
        .put("reason", word(slots.reason()))
        .put("policy", slots.by().orElse(null))
        .put("mergedInto", slots.mergedInto().map(Object::toString).orElse(null));
  }

  static String word(Enum<?> constant) {
    return constant.name().toLowerCase(Locale.ROOT);
  }
}
