package dev.carillon.store.schedule;

import dev.carillon.model.ChangedBy;
import dev.carillon.model.Definition;
import dev.carillon.model.Pause;
import dev.carillon.model.ScheduleStatus;
import dev.carillon.plan.PlannedRun.Sequel;
import dev.carillon.plan.Planner;
import dev.carillon.plan.SlotsToCome;
import dev.carillon.policy.Pacing;
import dev.carillon.store.audit.AuditStore;
import dev.carillon.store.calendar.RuleBook;
import dev.carillon.store.jdbc.Transaction;
import dev.carillon.store.schedule.PlannedAhead.Coming;
import dev.carillon.store.schedule.PlannedAhead.Cursor;
import dev.carillon.store.schedule.PlannedAhead.Withdrawn;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Decides anew what is planned of schedules after a calendar or quiet hours have changed: runs
 * whose slots are to come are taken back and planned again, runs whose slots have come and that
 * wait for their due time get another one, or end as a decision. Runs that are due stay, unless
 * quiet hours hold them back.
 */
final class Replanner {
  private final Transaction tx;
  private final RuleBook book;
  private final Instant now;
  private final PlannedAhead ahead;
  private final ScheduleWrites writes;

  Replanner(Transaction tx, RuleBook book, Instant now) {
    this.tx = tx;
    this.book = book;
    this.now = now;
    this.ahead = new PlannedAhead(tx);
    this.writes = new ScheduleWrites(tx);
  }

  /** Replan schedules whose cursors are locked, and return how many runs that changed. */
  long replan(List<LockedSchedule> all) {
    List<LockedSchedule> schedules =
        all.stream()
            .filter(locked -> locked.is(ScheduleStatus.ACTIVE) && locked.isReadable())
            .toList();
    if (schedules.isEmpty()) {
      return 0;
    }
    var come = new LinkedHashMap<LockedSchedule, Instant>();
    schedules.forEach(locked -> come.put(locked, come(locked)));
    var slotted = new HashMap<Long, Instant>();
    come.forEach(
        (locked, instant) -> {
          if (locked.definition().pacing() == Pacing.SLOT) {
            slotted.put(locked.id(), instant);
          }
        });
    Map<Long, List<Withdrawn>> withdrawn =
        ahead.withdrawFuture(slotted, now).stream()
            .collect(Collectors.groupingBy(Withdrawn::schedule));
    Set<Long> takenBack = new DecisionsAhead(tx).takeBack(come, now);
    WaitingRuns changes = new WaitingRuns(tx, book, now).replan(schedules);
    return finish(schedules, withdrawn, takenBack, changes);
  }

  /**
   * Hold back runs of schedules whose cursors are locked that would start by {@code until}, in
   * quiet time; return how many that changed.
   */
  long holdBack(List<LockedSchedule> all, Instant until) {
    List<LockedSchedule> readable = all.stream().filter(LockedSchedule::isReadable).toList();
    WaitingRuns changes = new WaitingRuns(tx, book, now).holdBack(readable, until);
    List<LockedSchedule> shortened =
        readable.stream()
            .filter(locked -> changes.changed(locked.id()))
            .filter(locked -> locked.is(ScheduleStatus.ACTIVE))
            .toList();
    if (!shortened.isEmpty()) {
      finish(shortened, Map.of(), Set.of(), changes);
    }
    return changes.size();
  }

  private long finish(
      List<LockedSchedule> schedules,
      Map<Long, List<Withdrawn>> withdrawn,
      Set<Long> takenBack,
      WaitingRuns changes) {
    Map<Long, Set<Sequel>> sequels =
        ahead.sequels(schedules.stream().map(LockedSchedule::id).toList());
    var cursors = new ArrayList<Cursor>();
    var lines = new ArrayList<AuditStore.Line>();
    var over = new ArrayList<Long>();
    long runs = 0;
    for (LockedSchedule locked : schedules) {
      int taken = withdrawn.getOrDefault(locked.id(), List.of()).size();
      int dropped = changes.dropped(locked.id());
      int moved = changes.moved(locked.id());
      Set<Sequel> kept = sequels.getOrDefault(locked.id(), Set.of());
      boolean rewinds = taken > 0 || takenBack.contains(locked.id());
      LockedSchedule less = locked.without(taken + dropped);
      Cursor cursor =
          locked.definition().pacing() == Pacing.FINISH
              ? paced(less, kept, changes.lastDropped(locked.id()))
              : slotted(less, kept, rewinds);
      cursors.add(cursor);
      if (cursor.nextSlot().isEmpty() && kept.isEmpty() && !locked.pausesLater()) {
        over.add(locked.id());
      }
      if (rewinds || dropped + moved > 0) {
        lines.add(
            new AuditStore.Line(
                locked.id(),
                "schedule.replanned",
                Map.of("withdrawn", taken, "moved", moved, "dropped", dropped)));
      }
      runs += taken + dropped + moved;
    }
    ahead.set(cursors);
    AuditStore.insert(tx, lines, new ChangedBy(now, "carillon"));
    writes.announce(cursors.stream().map(Cursor::planBy).toList(), now);
    if (!over.isEmpty()) {
      new ScheduleChanges(tx).complete(over, now);
    }
    return runs;
  }

  /* What waits for the end of a run goes on waiting. */
  private Cursor paced(LockedSchedule locked, Set<Sequel> sequels, Optional<Instant> lastDropped) {
    boolean waits = !sequels.isEmpty() || (lastDropped.isEmpty() && locked.nextSlot().isEmpty());
    return Cursor.resumed(
        locked, coming(locked), lastDropped.orElse(locked.plannedThrough()), waits);
  }

  /* Slots that were not planned yet stay so. */
  private Cursor slotted(LockedSchedule locked, Set<Sequel> sequels, boolean rewinds) {
    Instant through = locked.plannedThrough();
    Instant come = come(locked);
    Instant floor = rewinds && come.isBefore(through) ? come : through;
    if (locked.hasAllRuns() || Planner.next(locked.definition(), floor).isEmpty()) {
      return Cursor.idle(locked.id(), floor, locked.plannedRuns());
    }
    if (sequels.contains(Sequel.RETIRE)) {
      ahead.dropSequels(locked.id(), EnumSet.of(Sequel.RETIRE));
    }
    return Cursor.after(locked.id(), coming(locked), floor, locked.plannedRuns());
  }

  private Instant come(LockedSchedule locked) {
    Definition definition = locked.definition();
    return SlotsToCome.after(definition.timing(), book.ruleOrNone(definition), now);
  }

  private Coming coming(LockedSchedule locked) {
    return Coming.before(
        locked,
        book.ruleOrNone(locked.definition()),
        locked.schedule().plannedPause().flatMap(Pause::from));
  }
}
