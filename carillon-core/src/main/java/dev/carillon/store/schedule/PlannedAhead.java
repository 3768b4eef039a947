package dev.carillon.store.schedule;

import dev.carillon.model.Definition;
import dev.carillon.plan.PlannedRun.Sequel;
import dev.carillon.plan.Planner;
import dev.carillon.store.jdbc.Bind;
import dev.carillon.store.jdbc.EnumText;
import dev.carillon.store.jdbc.Row;
import dev.carillon.store.jdbc.Transaction;
import dev.carillon.time.Zones;
import java.time.Instant;
import java.util.Collection;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** What planning has made of schedules whose cursors are locked: their runs, and how far it is. */
final class PlannedAhead {
  private final Transaction tx;

  PlannedAhead(Transaction tx) {
    this.tx = tx;
  }

  /**
   * A run that was taken back.
   *
   * @param schedule the number of its schedule
   * @param slot its slot
   * @param version the version that named the slot
   */
  record Withdrawn(long schedule, Instant slot, int version) {}

  /**
   * How far a schedule is planned.
   *
   * @param schedule its number
   * @param plannedThrough slots up to here are runs or decisions
   * @param nextSlot the next slot to plan
   * @param planBy when it must be planned
   * @param plannedRuns how many slots became runs so far
   */
  record Cursor(
      long schedule,
      Instant plannedThrough,
      Optional<Instant> nextSlot,
      Optional<Instant> planBy,
      long plannedRuns) {

    /** Return the cursor of a schedule with nothing to plan for now. */
    static Cursor idle(long schedule, Instant plannedThrough, long plannedRuns) {
      return new Cursor(schedule, plannedThrough, Optional.empty(), Optional.empty(), plannedRuns);
    }

    /** Return the cursor of {@code locked} after {@code floor}, unless it waits for a run's end. */
    static Cursor goingOn(LockedSchedule locked, Instant floor, boolean waits) {
      return waits || locked.isUsedUp()
          ? idle(locked.id(), floor, locked.plannedRuns())
          : after(locked.id(), locked.key(), locked.definition(), floor, locked.plannedRuns());
    }

    /** Return the cursor of a schedule that goes on after {@code plannedThrough}. */
    static Cursor after(
        long schedule, String key, Definition definition, Instant plannedThrough, long runs) {
      Optional<Instant> next = Planner.next(definition, plannedThrough);
      return new Cursor(
          schedule,
          plannedThrough,
          next,
          next.map(slot -> Planner.planBy(definition, key, slot)),
          runs);
    }
  }

  /** Return the cursors of schedules that go on after {@code floors}, unless a run decides that. */
  List<Cursor> goingOn(Map<LockedSchedule, Instant> floors) {
    Map<Long, Set<Sequel>> sequels =
        sequels(floors.keySet().stream().map(LockedSchedule::id).toList());
    return floors.entrySet().stream()
        .map(
            entry ->
                Cursor.goingOn(
                    entry.getKey(), entry.getValue(), sequels.containsKey(entry.getKey().id())))
        .toList();
  }

  /** Take back runs that are not due and whose slots are to come. */
  List<Withdrawn> withdrawFuture(Collection<Long> ids, Instant now) {
    return withdraw(ids, now, now);
  }

  /** Take back runs that are not due, also where jitter or catch-up put them after their slot. */
  List<Withdrawn> withdrawUndue(Collection<Long> ids, Instant now) {
    return withdraw(ids, now, Instant.EPOCH);
  }

  private List<Withdrawn> withdraw(Collection<Long> ids, Instant now, Instant after) {
    return tx.query(
        "withdraw runs",
        """
        delete from carillon.run  -- waits for a claim of the same run, and then leaves the run alone
         where schedule_id = any(:ids)
           and slot > :after
           and due_at > :now
           and trigger = 'scheduled'
           and state = 'pending'
           and attempt = 0
           and created_by is null  -- what somebody asked for is theirs
        returning schedule_id, slot, version
        """,
        bind -> bind.set("now", now).set("after", after).array("ids", "bigint", ids, id -> id),
        PlannedAhead::withdrawn);
  }

  /** Take back runs that have not started and whose slots are at or after {@code from}. */
  List<Withdrawn> withdrawFrom(Collection<Long> ids, Instant from) {
    return tx.query(
        "withdraw runs of a coming pause",
        """
        delete from carillon.run  -- waits for a claim of the same run, and then leaves the run alone
         where schedule_id = any(:ids)
           and slot >= :from
           and trigger = 'scheduled'
           and state = 'pending'
           and attempt = 0
           and created_by is null  -- what somebody asked for is theirs
        returning schedule_id, slot, version
        """,
        bind -> bind.set("from", from).array("ids", "bigint", ids, id -> id),
        PlannedAhead::withdrawn);
  }

  private static Withdrawn withdrawn(Row row) {
    return new Withdrawn(row.number("schedule_id"), row.instant("slot"), row.integer("version"));
  }

  /** Return the last slot after {@code after} that has a run, by schedule. */
  Map<Long, Instant> lastSlots(Collection<Long> ids, Instant after) {
    return tx.map(
        "find last slots",
        """
        select schedule_id, max(slot) as slot
          from carillon.any_run
         where schedule_id = any(:ids)
           and slot > :after
           and ordinal = 0
         group by schedule_id
        """,
        bind -> bind.set("after", after).array("ids", "bigint", ids, id -> id),
        row -> row.number("schedule_id"),
        row -> row.instant("slot"));
  }

  /** Return the slots in {@code (after, through]} that have a run. */
  NavigableSet<Instant> slots(long id, Instant after, Instant through) {
    return new TreeSet<>(
        tx.query(
            "find slots of a stretch",
            """
            select slot
              from carillon.any_run
             where schedule_id = :id
               and slot > :after
               and slot <= :through
               and ordinal = 0
            """,
            bind -> bind.set("id", id).set("after", after).set("through", through),
            row -> row.instant("slot")));
  }

  /** Return what the ends of live runs will bring about, by schedule. */
  Map<Long, Set<Sequel>> sequels(Collection<Long> ids) {
    return tx
        .query(
            "find sequels",
            """
            select schedule_id, sequel
              from carillon.run
             where schedule_id = any(:ids)
               and sequel is not null
            """,
            bind -> bind.array("ids", "bigint", ids, id -> id),
            row -> Map.entry(row.number("schedule_id"), row.text("sequel")))
        .stream()
        .collect(
            Collectors.groupingBy(
                Map.Entry::getKey,
                Collectors.mapping(
                    entry -> EnumText.read(Sequel.class, entry.getValue()),
                    Collectors.toCollection(() -> EnumSet.noneOf(Sequel.class)))));
  }

  /** Let the ends of live runs no longer bring about any of {@code sequels}. */
  void dropSequels(long id, Set<Sequel> sequels) {
    tx.update(
        "drop sequels",
        """
        update carillon.run
           set sequel = null
         where schedule_id = :id
           and sequel = any(:sequels)
        """,
        bind -> bind.set("id", id).array("sequels", "text", sequels, EnumText::of));
  }

  /**
   * Write cursors. Slots that have a run already, though they are to come, are not planned again.
   */
  void set(List<Cursor> cursors) {
    tx.update(
        "set cursors",
        """
        update carillon.cursor
           set planned_through = change.planned_through, next_slot = change.next_slot, plan_by = change.plan_by,
               planned_runs = change.planned_runs, tzdb_version = :tzdb,
               rewound_from = (select max(slot)
                                 from carillon.any_run
                                where any_run.schedule_id = change.id
                                  and any_run.slot > change.planned_through
                                  and any_run.ordinal = 0)
          from unnest(:ids, :throughs, :nexts, :bys, :runs)
            as change (id, planned_through, next_slot, plan_by, planned_runs)
         where cursor.schedule_id = change.id
        """,
        bind -> bindCursors(bind.array("ids", "bigint", cursors, Cursor::schedule), cursors));
  }

  /** Write the first cursors of new schedules. */
  void insert(List<Cursor> cursors) {
    tx.update(
        "insert cursors",
        """
        insert into carillon.cursor (schedule_id, planned_through, next_slot, plan_by, planned_runs, tzdb_version)
        select id, planned_through, next_slot, plan_by, planned_runs, :tzdb
          from unnest(:ids, :throughs, :nexts, :bys, :runs)
            as new (id, planned_through, next_slot, plan_by, planned_runs)
        """,
        bind -> bindCursors(bind.each("ids", "bigint", cursors, Cursor::schedule), cursors));
  }

  private static void bindCursors(Bind bind, List<Cursor> cursors) {
    bind.set("tzdb", Zones.version())
        .each("throughs", "timestamptz", cursors, Cursor::plannedThrough)
        .each("nexts", "timestamptz", cursors, cursor -> cursor.nextSlot)
        .each("bys", "timestamptz", cursors, cursor -> cursor.planBy)
        .each("runs", "bigint", cursors, Cursor::plannedRuns);
  }
}
