package dev.carillon.store.schedule;

import dev.carillon.model.Definition;
import dev.carillon.plan.PlannedRun.Sequel;
import dev.carillon.plan.Planner;
import dev.carillon.plan.SlotsToCome;
import dev.carillon.store.jdbc.Bind;
import dev.carillon.store.jdbc.EnumText;
import dev.carillon.store.jdbc.Transaction;
import dev.carillon.time.DueRule;
import dev.carillon.time.Zones;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Collection;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Collectors;

/** Planned runs and cursors of schedules whose cursors are locked. */
final class PlannedAhead {
  private final Transaction tx;

  PlannedAhead(Transaction tx) {
    this.tx = tx;
  }

  /** A run that was deleted before it started. */
  record Withdrawn(long schedule, Instant slot, int version) {}

  /** How far a schedule is planned, the next slot to plan, and when to plan it. */
  record Cursor(
      long schedule,
      Instant plannedThrough,
      Optional<Instant> nextSlot,
      Optional<Instant> planBy,
      long plannedRuns) {

    static Cursor idle(long schedule, Instant plannedThrough, long plannedRuns) {
      return new Cursor(schedule, plannedThrough, Optional.empty(), Optional.empty(), plannedRuns);
    }

    /**
     * Return the cursor of a schedule after {@code floor}, idle if it waits for the end of a run.
     */
    static Cursor resumed(LockedSchedule locked, Coming coming, Instant floor, boolean waits) {
      return waits || locked.hasAllRuns()
          ? idle(locked.id(), floor, locked.plannedRuns())
          : after(locked.id(), coming, floor, locked.plannedRuns());
    }

    static Cursor after(long schedule, Coming coming, Instant plannedThrough, long runs) {
      Optional<Instant> next = Planner.next(coming.definition, plannedThrough);
      return new Cursor(schedule, plannedThrough, next, next.map(coming::planBy), runs);
    }
  }

  /** The slots to come of a schedule, up to {@code last}, and when they are due. */
  record Coming(String key, Definition definition, DueRule rule, Instant last) {
    static Coming of(String key, Definition definition, DueRule rule) {
      return new Coming(key, definition, rule, Instant.MAX);
    }

    static Coming before(LockedSchedule locked, DueRule rule, Optional<Instant> pauseFrom) {
      Instant last =
          pauseFrom
              .map(from -> from.minusNanos(1_000))
              .map(end -> SlotsToCome.after(locked.definition().timing(), rule, end))
              .orElse(Instant.MAX);
      return new Coming(locked.key(), locked.definition(), rule, last);
    }

    Instant planBy(Instant slot) {
      return Planner.planBy(key, definition, rule, slot, last);
    }
  }

  /**
   * Return the cursors of schedules after {@code floors}, idle where one waits for the end of a
   * run.
   */
  List<Cursor> resumed(
      Map<LockedSchedule, Instant> floors, Function<LockedSchedule, Coming> coming) {
    Map<Long, Set<Sequel>> sequels =
        sequels(floors.keySet().stream().map(LockedSchedule::id).toList());
    return floors.entrySet().stream()
        .map(
            entry ->
                Cursor.resumed(
                    entry.getKey(),
                    coming.apply(entry.getKey()),
                    entry.getValue(),
                    sequels.containsKey(entry.getKey().id())))
        .toList();
  }

  /**
   * Withdraw runs that are not due and whose slots are to come, those after {@code come}. For an
   * earlier version, whose slots stood for other times, those up to {@code now} have come.
   */
  List<Withdrawn> withdrawFuture(Map<Long, Instant> come, Instant now) {
    var from = new HashMap<Long, Instant>();
    come.forEach((id, instant) -> from.put(id, instant.plus(1, ChronoUnit.MICROS)));
    return withdraw(from, now, true);
  }

  /** Withdraw runs that are not due, also where jitter or catch-up put them after their slot. */
  List<Withdrawn> withdrawUndue(Collection<Long> ids, Instant now) {
    return withdraw(
        ids.stream().collect(Collectors.toMap(id -> id, id -> Instant.EPOCH)), now, false);
  }

  /** Withdraw runs that have not started and whose slots are at or after {@code from}. */
  List<Withdrawn> withdrawFrom(Map<Long, Instant> from) {
    return withdraw(from, Instant.EPOCH, false);
  }

  private List<Withdrawn> withdraw(Map<Long, Instant> from, Instant dueAfter, boolean toCome) {
    List<Map.Entry<Long, Instant>> each = List.copyOf(from.entrySet());
    return tx.query(
        "withdraw runs",
        """
        delete from carillon.run  -- waits for a claim of the same run, and then leaves the run alone
         using unnest(:ids, :froms) as wanted (id, first_slot)
         where schedule_id = wanted.id
           and slot >= wanted.first_slot
           and due_at > :dueAfter
           and trigger = 'scheduled'
           and state = 'pending'
           and attempt = 0
           and created_by is null  -- a run that a caller asked for stays
           and (not :toCome
                or slot > :dueAfter
                or version = (select schedule.version from carillon.schedule where schedule.id = wanted.id))
        returning schedule_id, slot, version
        """,
        bind ->
            bind.set("dueAfter", dueAfter)
                .set("toCome", toCome)
                .array("ids", "bigint", each, Map.Entry::getKey)
                .array("froms", "timestamptz", each, Map.Entry::getValue),
        row ->
            new Withdrawn(row.number("schedule_id"), row.instant("slot"), row.integer("version")));
  }

  /** Return the last slot after {@code after} with a run, by schedule. */
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

  /** Return the sequels of live runs, by schedule. */
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

  /** Write cursors; {@code rewound_from} marks later slots that have runs already. */
  void set(List<Cursor> cursors) {
    tx.update(
        "set cursors",
        """
        update carillon.cursor
           set planned_through = change.planned_through, next_slot = change.next_slot, plan_by = change.plan_by,
               planned_runs = change.planned_runs, tzdb_version = :tzdb,
               rewound_from = greatest(
                   (select max(slot)
                      from carillon.any_run
                     where any_run.schedule_id = change.id
                       and any_run.slot > change.planned_through
                       and any_run.ordinal = 0),
                   (select max(last_slot)  -- missed although their slots are to come, or part of a run that was due
                      from carillon.decision
                     where decision.schedule_id = change.id
                       and decision.first_slot > change.planned_through
                       and decision.reason in ('missed', 'limit', 'merged')),
                   (select last_slot  -- the same, of a stretch that has begun
                      from (select last_slot, reason
                              from carillon.decision
                             where decision.schedule_id = change.id
                               and decision.first_slot <= change.planned_through
                             order by first_slot desc
                             limit 1) as last
                     where last.last_slot > change.planned_through
                       and last.reason in ('missed', 'limit', 'merged')))
          from unnest(:ids, :throughs, :nexts, :bys, :runs)
            as change (id, planned_through, next_slot, plan_by, planned_runs)
         where cursor.schedule_id = change.id
        """,
        bind -> bindCursors(bind.array("ids", "bigint", cursors, Cursor::schedule), cursors));
  }

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
