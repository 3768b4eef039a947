package dev.carillon.store.schedule;

import dev.carillon.model.ChangedBy;
import dev.carillon.model.DroppedSlots.Reason;
import dev.carillon.model.Pause;
import dev.carillon.model.ScheduleStatus;
import dev.carillon.plan.PlannedRun.Sequel;
import dev.carillon.store.audit.AuditStore;
import dev.carillon.store.jdbc.Transaction;
import dev.carillon.store.schedule.PlannedAhead.Coming;
import dev.carillon.store.schedule.PlannedAhead.Cursor;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Resumes paused schedules. */
final class ScheduleResumer {
  private final Transaction tx;
  private final ScheduleWrites writes;
  private final PlannedAhead ahead;
  private final UnplannedSlots unplannedSlots;
  private final ScheduleRules rules;

  ScheduleResumer(Transaction tx, ScheduleRules rules) {
    this.tx = tx;
    this.writes = new ScheduleWrites(tx);
    this.ahead = new PlannedAhead(tx);
    this.unplannedSlots = new UnplannedSlots(ahead, new DecisionsAhead(tx));
    this.rules = rules;
  }

  /** Resume paused schedules, and return the numbers of those completed for lack of slots. */
  Set<Long> resume(List<LockedSchedule> schedules, ChangedBy by) {
    List<Long> ids = schedules.stream().map(LockedSchedule::id).toList();
    Map<Long, Set<Sequel>> sequels = ahead.sequels(ids);
    var lines = new ArrayList<DecisionStore.Line>();
    var cursors = new ArrayList<Cursor>();
    var changes = new ArrayList<ScheduleWrites.StatusChange>();
    var auditLines = new ArrayList<AuditStore.Line>();
    var completed = new ArrayList<Long>();
    for (LockedSchedule locked : schedules) {
      Instant end = rules.come(locked, endOfPause(locked, by.at()));
      Instant floor = later(locked.plannedThrough(), end);
      lines.addAll(unplannedSlots.unplanned(locked, floor, Reason.PAUSED, List.of()));
      boolean waits = sequels.containsKey(locked.id());
      Cursor cursor =
          Cursor.resumed(
              locked,
              Coming.of(locked.key(), locked.definition(), rules.of(locked.definition())),
              floor,
              waits);
      cursors.add(cursor);
      boolean goesOn = waits || cursor.nextSlot().isPresent();
      if (!goesOn) {
        completed.add(locked.id());
      }
      changes.add(
          new ScheduleWrites.StatusChange(
              locked.id(),
              goesOn ? ScheduleStatus.ACTIVE : ScheduleStatus.RETIRED,
              Optional.empty(),
              !goesOn));
      auditLines.add(
          new AuditStore.Line(
              locked.id(), goesOn ? "schedule.resumed" : "schedule.completed", Map.of()));
    }
    DecisionStore.insert(tx, lines, by.at());
    ahead.set(cursors);
    writes.retireVersions(completed, by.at());
    writes.setStatus(changes, by);
    writes.resetFailures(ids);
    AuditStore.insert(tx, auditLines, by);
    writes.announce(cursors.stream().map(Cursor::planBy).toList(), by.at());
    return Set.copyOf(completed);
  }

  /** Cancel the coming pauses of active schedules. */
  void cancel(List<LockedSchedule> schedules, ChangedBy by) {
    var floors = new LinkedHashMap<LockedSchedule, Instant>();
    schedules.forEach(locked -> floors.put(locked, locked.plannedThrough()));
    List<Cursor> cursors =
        ahead.resumed(
            floors,
            locked -> Coming.of(locked.key(), locked.definition(), rules.of(locked.definition())));
    ahead.set(cursors);
    writes.setStatus(schedules, ScheduleStatus.ACTIVE, locked -> Optional.empty(), by);
    writes.audit(
        schedules,
        "schedule.resumed",
        locked -> Map.of("canceledPauseFrom", begin(locked).toString()),
        by);
    writes.announce(cursors.stream().map(Cursor::planBy).toList(), by.at());
  }

  private static Instant begin(LockedSchedule locked) {
    return locked.schedule().plannedPause().flatMap(Pause::from).orElseThrow();
  }

  private static Instant endOfPause(LockedSchedule locked, Instant now) {
    return locked
        .schedule()
        .pause()
        .flatMap(Pause::until)
        .filter(until -> until.isBefore(now))
        .orElse(now);
  }

  private static Instant later(Instant one, Instant other) {
    return one.isAfter(other) ? one : other;
  }
}
