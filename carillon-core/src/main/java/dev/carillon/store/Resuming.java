package dev.carillon.store;

import dev.carillon.model.Dropped.Reason;
import dev.carillon.model.Pause;
import dev.carillon.model.ScheduleStatus;
import dev.carillon.model.Stamp;
import dev.carillon.plan.PlannedRun.Sequel;
import dev.carillon.store.PlannedAhead.Cursor;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Lets paused schedules fire again. */
final class Resuming {
  private final Transaction tx;
  private final ScheduleWrites writes;
  private final PlannedAhead ahead;
  private final Backlog backlog;

  Resuming(Transaction tx) {
    this.tx = tx;
    this.writes = new ScheduleWrites(tx);
    this.ahead = new PlannedAhead(tx);
    this.backlog = new Backlog(ahead);
  }

  /**
   * Resume paused schedules from the end of their pause on. Returns the numbers of those that had
   * no slot left, and are retired instead.
   */
  Set<Long> resume(List<Held> schedules, Stamp by) {
    List<Long> ids = schedules.stream().map(Held::id).toList();
    Map<Long, Set<Sequel>> sequels = ahead.sequels(ids);
    var lines = new ArrayList<DecisionStore.Line>();
    var cursors = new ArrayList<Cursor>();
    var changes = new ArrayList<ScheduleWrites.Standstill>();
    var told = new ArrayList<AuditStore.Line>();
    var completed = new ArrayList<Long>();
    for (Held held : schedules) {
      Instant floor = later(held.plannedThrough(), endOfPause(held, by.at()));
      lines.addAll(backlog.unplanned(held, floor, Reason.PAUSED, List.of()));
      boolean waits = sequels.containsKey(held.id());
      Cursor cursor = Cursor.goingOn(held, floor, waits);
      cursors.add(cursor);
      boolean goesOn = waits || cursor.nextSlot().isPresent();
      if (!goesOn) {
        completed.add(held.id());
      }
      changes.add(
          new ScheduleWrites.Standstill(
              held.id(),
              goesOn ? ScheduleStatus.ACTIVE : ScheduleStatus.RETIRED,
              Optional.empty(),
              !goesOn));
      told.add(
          new AuditStore.Line(
              held.id(), goesOn ? "schedule.resumed" : "schedule.completed", Map.of()));
    }
    DecisionStore.insert(tx, lines, by.at());
    ahead.set(cursors);
    writes.retireVersions(completed, by.at());
    writes.setStatus(changes, by);
    writes.forgetFailures(ids);
    AuditStore.insert(tx, told, by);
    writes.announce(cursors.stream().map(Cursor::planBy).toList(), by.at());
    return Set.copyOf(completed);
  }

  /** Let active schedules go on as if no pause were to come. */
  void cancel(List<Held> schedules, Stamp by) {
    var floors = new LinkedHashMap<Held, Instant>();
    schedules.forEach(held -> floors.put(held, held.plannedThrough()));
    List<Cursor> cursors = ahead.goingOn(floors);
    ahead.set(cursors);
    writes.setStatus(schedules, ScheduleStatus.ACTIVE, held -> Optional.empty(), by);
    writes.audit(
        schedules,
        "schedule.resumed",
        held -> Map.of("canceledPauseFrom", begin(held).toString()),
        by);
    writes.announce(cursors.stream().map(Cursor::planBy).toList(), by.at());
  }

  private static Instant begin(Held held) {
    return held.schedule().comingPause().flatMap(Pause::from).orElseThrow();
  }

  private static Instant endOfPause(Held held, Instant now) {
    return held.schedule()
        .pause()
        .flatMap(Pause::until)
        .filter(until -> until.isBefore(now))
        .orElse(now);
  }

  private static Instant later(Instant one, Instant other) {
    return one.isAfter(other) ? one : other;
  }
}
