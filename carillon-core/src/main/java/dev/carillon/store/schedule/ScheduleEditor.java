package dev.carillon.store.schedule;

import dev.carillon.definition.DefinitionFields;
import dev.carillon.model.ChangedBy;
import dev.carillon.model.Definition;
import dev.carillon.model.DroppedSlots.Reason;
import dev.carillon.model.Pause;
import dev.carillon.model.ScheduleStatus;
import dev.carillon.plan.DefinitionCheck;
import dev.carillon.plan.PlannedRun.Sequel;
import dev.carillon.plan.Planner;
import dev.carillon.plan.SlotsToCome;
import dev.carillon.policy.Pacing;
import dev.carillon.store.audit.AuditStore;
import dev.carillon.store.jdbc.Transaction;
import dev.carillon.store.schedule.PlannedAhead.Coming;
import dev.carillon.store.schedule.PlannedAhead.Cursor;
import dev.carillon.store.schedule.PlannedAhead.Withdrawn;
import dev.carillon.time.DueRule;
import dev.carillon.time.InvalidValueException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Creates schedules and new versions of them. */
final class ScheduleEditor {
  private final Transaction tx;
  private final ScheduleWrites writes;
  private final PlannedAhead ahead;
  private final UnplannedSlots unplannedSlots;
  private final DecisionsAhead decisions;
  private final ScheduleRules rules;

  ScheduleEditor(Transaction tx, ScheduleRules rules) {
    this.tx = tx;
    this.writes = new ScheduleWrites(tx);
    this.ahead = new PlannedAhead(tx);
    this.decisions = new DecisionsAhead(tx);
    this.unplannedSlots = new UnplannedSlots(ahead, decisions);
    this.rules = rules;
  }

  Set<String> create(Map<String, Definition> definitions, ChangedBy by) {
    definitions.forEach(
        (key, definition) -> {
          rules.check(key, definition, by.at());
          DueRule rule = rules.of(definition);
          DefinitionCheck.check(
              definition, rule, key, by.at(), DefinitionCheck.floor(definition, rule, by.at()));
        });
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
            DueRule rule = rules.of(definition);
            Instant floor = DefinitionCheck.floor(definition, rule, by.at());
            versions.add(new ScheduleWrites.Version(id, 1, definition, Optional.empty()));
            cursors.add(Cursor.after(id, Coming.of(key, definition, rule), floor, 0));
            lines.add(new AuditStore.Line(id, "schedule.created", Map.of("toVersion", 1)));
          }
        });
    writes.insertVersions(versions, by);
    ahead.insert(cursors);
    AuditStore.insert(tx, lines, by);
    writes.announce(cursors.stream().map(Cursor::planBy).toList(), by.at());
    return created.keySet();
  }

  boolean isSame(LockedSchedule locked, Definition definition) {
    Definition current = locked.definition();
    return current.target().equals(definition.target())
        && current.tags().equals(definition.tags())
        && DefinitionFields.store(current).equals(DefinitionFields.store(definition))
        && writes.isSame(current.payload().json(), definition.payload().json());
  }

  /** Tell whether a definition has slots to come. */
  boolean hasSlots(Definition definition, Instant now) {
    Instant come = SlotsToCome.after(definition.timing(), rules.of(definition), now);
    return Planner.next(definition, come).isPresent();
  }

  /** Create a new version; a retired schedule becomes active. */
  void change(LockedSchedule locked, Definition definition, ChangedBy by, Map<String, ?> details) {
    boolean revived = locked.is(ScheduleStatus.RETIRED);
    boolean paused = locked.is(ScheduleStatus.PAUSED);
    Instant now = by.at();
    Instant come = rules.come(locked, now);
    List<Withdrawn> withdrawn = ahead.withdrawFuture(Map.of(locked.id(), come), now);
    decisions.takeBack(Map.of(locked, come), now);
    DecisionStore.insert(
        tx,
        unplannedSlots.unplanned(locked, come, paused ? Reason.PAUSED : Reason.MISSED, withdrawn),
        now);

    rules.check(locked.key(), definition, now);
    DueRule rule = rules.of(definition);
    Instant floor = DefinitionCheck.floor(definition, rule, now);
    long plannedRuns = revived ? 0 : Math.max(0, locked.plannedRuns() - withdrawn.size());
    DefinitionCheck.check(definition, rule, locked.key(), now, lastSlot(locked, floor));
    checkRunsLeft(locked, definition, plannedRuns);

    Set<Sequel> ends = EnumSet.of(Sequel.RETIRE);
    if (definition.pacing() != Pacing.FINISH) {
      ends.add(Sequel.REPEAT);
    }
    ahead.dropSequels(locked.id(), ends);
    Cursor cursor =
        paused || repeats(locked)
            ? Cursor.idle(locked.id(), floor, plannedRuns)
            : Cursor.after(
                locked.id(),
                new Coming(
                    locked.key(),
                    definition,
                    rule,
                    Coming.before(locked, rule, pauseFrom(locked)).last()),
                floor,
                plannedRuns);

    int version = locked.schedule().version() + 1;
    writes.insertVersions(
        List.of(
            new ScheduleWrites.Version(
                locked.id(), version, definition, Optional.of(locked.schedule().version()))),
        by);
    writes.retireVersions(List.of(locked.id()), now);
    writes.setVersion(locked.id(), version, by);
    if (revived) {
      writes.setStatus(List.of(locked), ScheduleStatus.ACTIVE, one -> Optional.empty(), by);
      writes.resetFailures(List.of(locked.id()));
    }
    ahead.set(List.of(cursor));

    var all = new LinkedHashMap<String, Object>(details);
    all.put("fromVersion", locked.schedule().version());
    all.put("toVersion", version);
    all.put("withdrawn", withdrawn.size());
    if (revived) {
      all.put("revived", true);
    }
    AuditStore.insert(tx, List.of(new AuditStore.Line(locked.id(), "schedule.changed", all)), by);
    writes.announce(List.of(cursor.planBy()), now);
  }

  private static Optional<Instant> pauseFrom(LockedSchedule locked) {
    return locked.schedule().plannedPause().flatMap(Pause::from);
  }

  private boolean repeats(LockedSchedule locked) {
    return ahead
        .sequels(List.of(locked.id()))
        .getOrDefault(locked.id(), Set.of())
        .contains(Sequel.REPEAT);
  }

  private Instant lastSlot(LockedSchedule locked, Instant floor) {
    return ahead.lastSlots(List.of(locked.id()), floor).getOrDefault(locked.id(), floor);
  }

  private static void checkRunsLeft(
      LockedSchedule locked, Definition definition, long plannedRuns) {
    if (definition.maxRuns() > 0 && plannedRuns >= definition.maxRuns()) {
      throw new InvalidValueException(
          "maxRuns",
          "schedule '"
              + locked.key()
              + "' would never fire: it has had "
              + (plannedRuns == 1 ? "1 run" : plannedRuns + " runs")
              + " of at most "
              + definition.maxRuns()
              + "; allow more runs, or retire it");
    }
  }
}
