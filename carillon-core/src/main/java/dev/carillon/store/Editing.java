package dev.carillon.store;

import dev.carillon.definition.DefinitionFields;
import dev.carillon.model.Definition;
import dev.carillon.model.Dropped.Reason;
import dev.carillon.model.ScheduleStatus;
import dev.carillon.model.Stamp;
import dev.carillon.plan.Fitness;
import dev.carillon.plan.PlannedRun.Sequel;
import dev.carillon.policy.Pacing;
import dev.carillon.store.PlannedAhead.Cursor;
import dev.carillon.store.PlannedAhead.Withdrawn;
import dev.carillon.time.InvalidValueException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Makes schedules, and new versions of them. */
final class Editing {
  private final Transaction tx;
  private final ScheduleWrites writes;
  private final PlannedAhead ahead;
  private final Backlog backlog;

  Editing(Transaction tx) {
    this.tx = tx;
    this.writes = new ScheduleWrites(tx);
    this.ahead = new PlannedAhead(tx);
    this.backlog = new Backlog(ahead);
  }

  /** Create schedules whose keys are free, and return the keys of those. */
  Set<String> create(Map<String, Definition> definitions, Stamp by) {
    definitions.forEach(
        (key, definition) ->
            Fitness.check(definition, key, by.at(), Fitness.floor(definition, by.at())));
    Map<String, Long> created = writes.insert(definitions.keySet(), by);
    if (created.isEmpty()) {
      return Set.of();
    }
    var versions = new ArrayList<ScheduleWrites.Version>();
    var cursors = new ArrayList<Cursor>();
    var lines = new ArrayList<AuditStore.Line>();
    definitions.forEach(
        (key, definition) -> {
          Long id = created.get(key);
          if (id != null) {
            Instant floor = Fitness.floor(definition, by.at());
            versions.add(new ScheduleWrites.Version(id, 1, definition, Optional.empty()));
            cursors.add(Cursor.after(id, key, definition, floor, 0));
            lines.add(new AuditStore.Line(id, "schedule.created", Map.of("toVersion", 1)));
          }
        });
    writes.insertVersions(versions, by);
    ahead.insert(cursors);
    AuditStore.insert(tx, lines, by);
    writes.announce(cursors.stream().map(Cursor::planBy).toList(), by.at());
    return created.keySet();
  }

  /** Tell whether the schedule says what {@code definition} says. */
  boolean isSame(Held held, Definition definition) {
    Definition current = held.definition();
    return current.target().equals(definition.target())
        && current.tags().equals(definition.tags())
        && DefinitionFields.store(current).equals(DefinitionFields.store(definition))
        && writes.isSame(current.payload().json(), definition.payload().json());
  }

  /** Make a new version; a retired schedule fires again. */
  void change(Held held, Definition definition, Stamp by, Map<String, ?> details) {
    boolean revived = held.is(ScheduleStatus.RETIRED);
    boolean paused = held.is(ScheduleStatus.PAUSED);
    Instant now = by.at();
    List<Withdrawn> withdrawn = ahead.withdrawFuture(List.of(held.id()), now);
    DecisionStore.insert(
        tx, backlog.unplanned(held, now, paused ? Reason.PAUSED : Reason.MISSED, withdrawn), now);

    Instant floor = Fitness.floor(definition, now);
    long plannedRuns = revived ? 0 : Math.max(0, held.plannedRuns() - withdrawn.size());
    Fitness.check(definition, held.key(), now, lastSlot(held, floor));
    checkRunsLeft(held, definition, plannedRuns);

    Set<Sequel> ends = EnumSet.of(Sequel.RETIRE);
    if (definition.pacing() != Pacing.FINISH) {
      ends.add(Sequel.REPEAT);
    }
    ahead.dropSequels(held.id(), ends);
    Cursor cursor =
        paused || repeats(held)
            ? Cursor.idle(held.id(), floor, plannedRuns)
            : Cursor.after(held.id(), held.key(), definition, floor, plannedRuns);

    int version = held.schedule().version() + 1;
    writes.insertVersions(
        List.of(
            new ScheduleWrites.Version(
                held.id(), version, definition, Optional.of(held.schedule().version()))),
        by);
    writes.retireVersions(List.of(held.id()), now);
    writes.setVersion(held.id(), version, by);
    if (revived) {
      writes.setStatus(List.of(held), ScheduleStatus.ACTIVE, one -> Optional.empty(), by);
      writes.forgetFailures(List.of(held.id()));
    }
    ahead.set(List.of(cursor));

    var said = new LinkedHashMap<String, Object>(details);
    said.put("fromVersion", held.schedule().version());
    said.put("toVersion", version);
    said.put("withdrawn", withdrawn.size());
    if (revived) {
      said.put("revived", true);
    }
    AuditStore.insert(tx, List.of(new AuditStore.Line(held.id(), "schedule.changed", said)), by);
    writes.announce(List.of(cursor.planBy()), now);
  }

  private boolean repeats(Held held) {
    return ahead
        .sequels(List.of(held.id()))
        .getOrDefault(held.id(), Set.of())
        .contains(Sequel.REPEAT);
  }

  private Instant lastSlot(Held held, Instant floor) {
    return ahead.lastSlots(List.of(held.id()), floor).getOrDefault(held.id(), floor);
  }

  private static void checkRunsLeft(Held held, Definition definition, long plannedRuns) {
    if (definition.maxRuns() > 0 && plannedRuns >= definition.maxRuns()) {
      throw new InvalidValueException(
          "maxRuns",
          "schedule '"
              + held.key()
              + "' would never fire: it has had "
              + (plannedRuns == 1 ? "1 run" : plannedRuns + " runs")
              + " of at most "
              + definition.maxRuns()
              + "; allow more runs, or retire it");
    }
  }
}
