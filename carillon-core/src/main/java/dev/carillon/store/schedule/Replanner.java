package dev.carillon.store.schedule;

import dev.carillon.model.ChangedBy;
import dev.carillon.model.Definition;
import dev.carillon.model.DroppedSlots;
import dev.carillon.model.Pause;
import dev.carillon.model.ScheduleStatus;
import dev.carillon.plan.DuePipeline;
import dev.carillon.plan.PlannedRun.Sequel;
import dev.carillon.plan.Planner;
import dev.carillon.plan.SlotDue;
import dev.carillon.plan.SlotsToCome;
import dev.carillon.policy.Pacing;
import dev.carillon.store.audit.AuditStore;
import dev.carillon.store.calendar.RuleBook;
import dev.carillon.store.jdbc.Transaction;
import dev.carillon.store.schedule.PlannedAhead.Coming;
import dev.carillon.store.schedule.PlannedAhead.Cursor;
import dev.carillon.store.schedule.PlannedAhead.Withdrawn;
import dev.carillon.time.DueRule;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
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
 * wait for their due time get another one, or end as a decision. Runs that are due stay.
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

  private record Waiting(long schedule, Instant slot, Instant dueAt, int version) {}

  private record Moved(long schedule, Instant slot, Instant dueAt) {}

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
    Map<Long, List<Waiting>> waiting =
        waiting(schedules.stream().map(LockedSchedule::id).toList()).stream()
            .collect(Collectors.groupingBy(Waiting::schedule));
    var changes = new Changes();
    for (LockedSchedule locked : schedules) {
      DueRule rule = book.ruleOrNone(locked.definition());
      changes.decide(locked, rule, waiting.getOrDefault(locked.id(), List.of()));
    }
    changes.write();
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

  private List<Waiting> waiting(Collection<Long> ids) {
    return tx.query(
        "lock runs that wait for their due time",
        """
        select schedule_id, slot, due_at, version
          from carillon.run  -- against claims of the same runs, which come first
         where schedule_id = any(:ids)
           and due_at > :now
           and trigger = 'scheduled'
           and state = 'pending'
           and attempt = 0
           and created_by is null
           and ordinal = 0
         order by schedule_id, slot
           for update
        """,
        bind -> bind.set("now", now).array("ids", "bigint", ids, id -> id),
        row ->
            new Waiting(
                row.number("schedule_id"),
                row.instant("slot"),
                row.instant("due_at"),
                row.integer("version")));
  }

  /** What becomes of runs that wait. */
  private final class Changes {
    private final List<Moved> moved = new ArrayList<>();
    private final List<DecisionStore.Line> dropped = new ArrayList<>();

    void decide(LockedSchedule locked, DueRule rule, List<Waiting> runs) {
      var pipeline = new DuePipeline(locked.key(), locked.definition(), rule);
      boolean paced = locked.definition().pacing() == Pacing.FINISH;
      Map<Instant, Instant> dues = new HashMap<>();
      for (Waiting run : runs) {
        SlotDue judged = pipeline.judge(run.slot);
        Optional<Instant> into =
            paced
                ? Optional.empty()
                : Optional.ofNullable(dues.putIfAbsent(judged.due(), run.slot));
        Instant dueAt = paced && judged.dueAt().isBefore(run.slot) ? run.slot : judged.dueAt();
        if (judged.obstacle().isPresent()) {
          SlotDue.Obstacle obstacle = judged.obstacle().get();
          drop(run, obstacle.reason(), obstacle.by(), Optional.empty());
        } else if (into.isPresent()) {
          drop(run, DroppedSlots.Reason.MERGED, Optional.empty(), into);
        } else if (!dueAt.equals(run.dueAt)) {
          moved.add(new Moved(run.schedule, run.slot, dueAt));
        }
      }
    }

    private void drop(
        Waiting run, DroppedSlots.Reason reason, Optional<String> by, Optional<Instant> into) {
      dropped.add(
          new DecisionStore.Line(
              run.schedule,
              run.version,
              new DroppedSlots(run.slot, run.slot, 1, reason, by, into)));
    }

    int moved(long id) {
      return (int) moved.stream().filter(one -> one.schedule == id).count();
    }

    int dropped(long id) {
      return (int) dropped.stream().filter(one -> one.schedule() == id).count();
    }

    Optional<Instant> lastDropped(long id) {
      return dropped.stream()
          .filter(one -> one.schedule() == id)
          .map(one -> one.droppedSlots().last())
          .max(Instant::compareTo);
    }

    void write() {
      if (!moved.isEmpty()) {
        tx.update(
            "move runs that wait",
            """
            update carillon.run
               set due_at = moved.due_at, wake_at = moved.due_at
              from unnest(:ids, :slots, :dues) as moved (id, slot, due_at)
             where run.schedule_id = moved.id
               and run.slot = moved.slot
               and run.ordinal = 0
            """,
            bind ->
                bind.array("ids", "bigint", moved, Moved::schedule)
                    .array("slots", "timestamptz", moved, Moved::slot)
                    .array("dues", "timestamptz", moved, Moved::dueAt));
      }
      if (!dropped.isEmpty()) {
        tx.update(
            "drop runs that wait",
            """
            delete from carillon.run
             using unnest(:ids, :slots) as dropped (id, slot)
             where run.schedule_id = dropped.id
               and run.slot = dropped.slot
               and run.ordinal = 0
            """,
            bind ->
                bind.array("ids", "bigint", dropped, DecisionStore.Line::schedule)
                    .array("slots", "timestamptz", dropped, line -> line.droppedSlots().first()));
        DecisionStore.insert(tx, dropped, now);
        AuditStore.insert(
            tx,
            dropped.stream()
                .filter(line -> line.droppedSlots().reason() == DroppedSlots.Reason.QUIET_HOURS)
                .map(line -> SkippedLine.of(line.schedule(), line.droppedSlots()))
                .toList(),
            new ChangedBy(now, "carillon"));
      }
    }
  }
}
