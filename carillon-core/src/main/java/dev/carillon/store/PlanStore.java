package dev.carillon.store;

import dev.carillon.model.Definition;
import dev.carillon.model.Dropped;
import dev.carillon.plan.Plan;
import dev.carillon.plan.PlannedRun;
import dev.carillon.plan.Standing;
import dev.carillon.time.Zones;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** Reads where planning stands and writes what was planned, in the same transaction. */
public final class PlanStore {
  private final Database database;

  public PlanStore(Database database) {
    this.database = database;
  }

  /**
   * A schedule and what was decided about it.
   *
   * @param standing where it stood
   * @param plan what it should do
   */
  public record Planned(Standing standing, Plan plan) {}

  /**
   * A schedule that is to be planned: its standing, or why it cannot be read.
   *
   * @param scheduleId its number
   * @param standing where it stands; empty if its definition cannot be read
   * @param problem what is wrong with it
   */
  public record Candidate(long scheduleId, Optional<Standing> standing, String problem) {}

  /** Lock the cursors of up to {@code limit} schedules that must be planned by {@code until}. */
  public List<Long> lockDue(Instant until, int limit) {
    return database.query(
        "lock due cursors",
        """
        select schedule_id
          from carillon.cursor  -- against other planners, which skip it, and against edits, which wait
         where plan_by <= :until
         order by plan_by
         limit :limit
           for update skip locked
        """,
        bind -> bind.set("until", until).set("limit", limit),
        row -> row.number("schedule_id"));
  }

  /**
   * Read the standings of schedules whose cursors are locked. A statement of its own: the snapshot
   * of the locking one may hold a definition from before an edit that the lock waited for.
   */
  public List<Candidate> standings(List<Long> ids) {
    Map<Long, SortedSet<Instant>> settled = settled(ids);
    return database.query(
        "read standings",
        """
        select cursor.schedule_id, cursor.planned_through, cursor.planned_runs, schedule.key, schedule.version,
               version.target, version.payload, version.definition, version.tags
          from unnest(:ids) as due (id)
          join carillon.cursor
            on cursor.schedule_id = due.id
          join carillon.schedule
            on schedule.id = due.id
          join carillon.schedule_version as version
            on version.schedule_id = due.id and version.version = schedule.version
         where schedule.status = 'active'
         order by due.id
        """,
        bind -> bind.array("ids", "bigint", ids, id -> id),
        row -> candidate(row, settled));
  }

  private static Candidate candidate(Database.Row row, Map<Long, SortedSet<Instant>> settled) {
    long id = row.number("schedule_id");
    try {
      Definition definition = DefinitionJson.read(row);
      var standing =
          new Standing(
              id,
              row.text("key"),
              row.integer("version"),
              definition,
              row.instant("planned_through"),
              settled.getOrDefault(id, new TreeSet<>()),
              row.number("planned_runs"));
      return new Candidate(id, Optional.of(standing), "");
    } catch (IllegalArgumentException | IllegalStateException | ClassCastException e) {
      return new Candidate(id, Optional.empty(), String.valueOf(e.getMessage()));
    }
  }

  private Map<Long, SortedSet<Instant>> settled(List<Long> ids) {
    return database
        .query(
            "find slots that have runs",
            """
            select any_run.schedule_id, any_run.slot
              from carillon.cursor
              join carillon.any_run
                on any_run.schedule_id = cursor.schedule_id
               and any_run.slot > cursor.planned_through
               and any_run.slot <= cursor.rewound_from
               and any_run.ordinal = 0
             where cursor.schedule_id = any(:ids)
               and cursor.rewound_from is not null
            """,
            bind -> bind.array("ids", "bigint", ids, id -> id),
            row -> Map.entry(row.number("schedule_id"), row.instant("slot")))
        .stream()
        .collect(
            Collectors.groupingBy(
                Map.Entry::getKey,
                Collectors.mapping(Map.Entry::getValue, Collectors.toCollection(TreeSet::new))));
  }

  /** Write runs, decisions and cursors. */
  public void write(List<Planned> planned, Instant now) {
    createLanes(planned);
    insertRuns(planned);
    insertDecisions(planned, now);
    advance(planned);
  }

  private void createLanes(List<Planned> planned) {
    List<Long> lanes =
        planned.stream()
            .filter(one -> one.standing().plannedRuns() == 0)
            .flatMap(one -> lane(one.standing()).stream())
            .toList();
    if (!lanes.isEmpty()) {
      new Lanes(database).create(lanes);
    }
  }

  private record Row(Standing standing, PlannedRun run) {}

  private void insertRuns(List<Planned> planned) {
    var rows = new ArrayList<Row>();
    planned.forEach(
        one -> one.plan().runs().forEach(run -> rows.add(new Row(one.standing(), run))));
    if (rows.isEmpty()) {
      return;
    }
    database.update(
        "insert planned runs",
        """
        insert into carillon.run
               (schedule_id, slot, version, trigger, target, payload, due_at, wake_at, lane, overlap, policy, sequel)
        select planned.schedule_id, planned.slot, planned.version, 'scheduled', version.target, version.payload,
               planned.due_at, planned.due_at, planned.lane, planned.overlap, planned.policy::jsonb, planned.sequel
          from unnest(:ids, :slots, :versions, :dueAts, :lanes, :overlaps, :policies, :sequels)
            as planned (schedule_id, slot, version, due_at, lane, overlap, policy, sequel)
          join carillon.schedule_version as version
            on version.schedule_id = planned.schedule_id and version.version = planned.version
            on conflict do nothing
        """,
        bind ->
            bind.array("ids", "bigint", rows, row -> row.standing.scheduleId())
                .array("slots", "timestamptz", rows, row -> row.run.slot())
                .array("versions", "int", rows, row -> row.standing.version())
                .array("dueAts", "timestamptz", rows, row -> row.run.dueAt())
                .array("lanes", "bigint", rows, row -> lane(row.standing))
                .array(
                    "overlaps",
                    "text",
                    rows,
                    row -> PolicyJson.stored(row.standing.definition().overlap()))
                .array(
                    "policies",
                    "text",
                    rows,
                    row -> PolicyJson.of(row.standing.definition().policy()))
                .array("sequels", "text", rows, row -> row.run.sequel().map(Words::of)));
  }

  private static Optional<Long> lane(Standing standing) {
    return standing.definition().overlap().exclusive()
        ? Optional.of(standing.scheduleId())
        : Optional.empty();
  }

  private record Decision(Standing standing, Dropped dropped) {}

  private void insertDecisions(List<Planned> planned, Instant now) {
    var rows = new ArrayList<Decision>();
    planned.forEach(
        one -> one.plan().dropped().forEach(drop -> rows.add(new Decision(one.standing(), drop))));
    if (rows.isEmpty()) {
      return;
    }
    database.update(
        "insert decisions",
        """
        insert into carillon.decision (schedule_id, first_slot, last_slot, slots, reason, version, decided_at)
        select schedule_id, first_slot, last_slot, slots, reason, version, :now
          from unnest(:ids, :firsts, :lasts, :counts, :reasons, :versions)
            as dropped (schedule_id, first_slot, last_slot, slots, reason, version)
            on conflict do nothing
        """,
        bind ->
            bind.set("now", now)
                .array("ids", "bigint", rows, row -> row.standing.scheduleId())
                .array("firsts", "timestamptz", rows, row -> row.dropped.first())
                .array("lasts", "timestamptz", rows, row -> row.dropped.last())
                .array("counts", "bigint", rows, row -> row.dropped.slots())
                .array("reasons", "text", rows, row -> Words.of(row.dropped.reason()))
                .array("versions", "int", rows, row -> row.standing.version()));
    insertAudit(rows, now);
  }

  private void insertAudit(List<Decision> rows, Instant now) {
    database.update(
        "audit missed slots",
        """
        insert into carillon.audit (at, actor, action, schedule_id, details)
        select :now, 'carillon', 'schedule.missed', schedule_id,
               jsonb_build_object('first', first_slot, 'last', last_slot, 'slots', slots, 'reason', reason)
          from unnest(:ids, :firsts, :lasts, :counts, :reasons)
            as dropped (schedule_id, first_slot, last_slot, slots, reason)
         where reason in ('missed', 'limit')
        """,
        bind ->
            bind.set("now", now)
                .array("ids", "bigint", rows, row -> row.standing.scheduleId())
                .array("firsts", "timestamptz", rows, row -> row.dropped.first())
                .array("lasts", "timestamptz", rows, row -> row.dropped.last())
                .array("counts", "bigint", rows, row -> row.dropped.slots())
                .array("reasons", "text", rows, row -> Words.of(row.dropped.reason())));
  }

  private void advance(List<Planned> planned) {
    database.update(
        "advance cursors",
        """
        update carillon.cursor
           set planned_through = advanced.planned_through, next_slot = advanced.next_slot,
               plan_by = advanced.plan_by, planned_runs = advanced.planned_runs, rewound_from = null, tzdb_version = :tzdb
          from unnest(:ids, :throughs, :nexts, :bys, :runs)
            as advanced (id, planned_through, next_slot, plan_by, planned_runs)
         where cursor.schedule_id = advanced.id
        """,
        bind ->
            bind.set("tzdb", Zones.version())
                .array("ids", "bigint", planned, one -> one.standing().scheduleId())
                .array("throughs", "timestamptz", planned, one -> one.plan().plannedThrough())
                .array("nexts", "timestamptz", planned, one -> one.plan().nextSlot())
                .array("bys", "timestamptz", planned, one -> one.plan().planBy())
                .array("runs", "bigint", planned, one -> one.plan().plannedRuns()));
  }

  /** Return by when any schedule must be planned again. */
  public Optional<Instant> nextPlanBy() {
    return database
        .query(
            "find what to plan next",
            """
            select plan_by
              from carillon.cursor
             where plan_by is not null
             order by plan_by
             limit 1
            """,
            row -> row.instant("plan_by"))
        .stream()
        .findFirst();
  }

  /**
   * Take back the planned runs that were due after {@code since} and that nobody has started, after
   * a time when no node was alive: their slots are planned again, so that what was missed is left
   * to catch-up. What was due before stays: it waits for capacity, and is merely late. Returns how
   * many.
   */
  public int takeBack(Instant since) {
    lockCursors();
    return database
        .query(
            "take planned runs back",
            """
            with withdrawn as (
              delete from carillon.run as run
               using carillon.schedule, carillon.schedule_version as version
               where run.state = 'pending'
                 and run.trigger = 'scheduled'
                 and run.attempt = 0
                 and run.wake_at is not null
                 and run.due_at > :since
                 and schedule.id = run.schedule_id
                 and schedule.status = 'active'
                 and run.slot > schedule.updated_at  -- the cursor never goes back behind a change
                 and run.created_by is null  -- what somebody asked for is theirs
                 and version.schedule_id = schedule.id
                 and version.version = schedule.version
                 and version.definition -> 'timing' ->> 'after' is null  -- those are never missed, only late
              returning run.schedule_id, run.slot),
            first as (
              select schedule_id, min(slot) as slot, count(*) as runs
                from withdrawn
               group by schedule_id),
            reopened as (  -- planning comes by again, and decides about these slots anew
              delete from carillon.decision
               using first
               where decision.schedule_id = first.schedule_id
                 and decision.first_slot > first.slot),
            rewound as (
              update carillon.cursor
                 set rewound_from = greatest(cursor.planned_through, cursor.rewound_from),
                     planned_through = least(cursor.planned_through, first.slot - interval '1 microsecond'),
                     next_slot = least(cursor.next_slot, first.slot),
                     plan_by = least(cursor.plan_by, first.slot),
                     planned_runs = cursor.planned_runs - first.runs
                from first
               where cursor.schedule_id = first.schedule_id)
            select count(*) as runs
              from withdrawn
            """,
            bind -> bind.set("since", since),
            row -> Math.toIntExact(row.number("runs")))
        .get(0);
  }

  /* A statement of its own, before the one that reads who is active: a schedule that is paused,
   * changed or retired at the same moment has decided about its runs, and keeps its cursor. Whoever
   * changes a schedule locks its cursor before anything else is decided. */
  private void lockCursors() {
    database.script(
        "lock all cursors",
        "lock table carillon.cursor in exclusive mode"); // against changes, which wait or come
    // first
  }
}
