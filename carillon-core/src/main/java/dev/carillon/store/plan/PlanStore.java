package dev.carillon.store.plan;

import dev.carillon.model.Definition;
import dev.carillon.model.RunId;
import dev.carillon.plan.Plan;
import dev.carillon.plan.PlannedRun;
import dev.carillon.plan.Standing;
import dev.carillon.policy.CatchUp;
import dev.carillon.policy.Overlap;
import dev.carillon.store.calendar.RuleBooks;
import dev.carillon.store.calendar.WorkingCalendars;
import dev.carillon.store.jdbc.Bind;
import dev.carillon.store.jdbc.Database;
import dev.carillon.store.jdbc.EnumText;
import dev.carillon.store.jdbc.Row;
import dev.carillon.store.jdbc.Statements;
import dev.carillon.store.jdbc.Transaction;
import dev.carillon.store.run.DeadlineStore;
import dev.carillon.store.run.LaneStore;
import dev.carillon.store.run.RunDeadline;
import dev.carillon.store.run.RunPolicyJson;
import dev.carillon.store.run.RunRows;
import dev.carillon.store.schedule.DefinitionColumns;
import dev.carillon.time.Due;
import dev.carillon.time.Zones;
import dev.carillon.time.business.BusinessCalendar;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/** Reads what to plan, and writes plans. */
public final class PlanStore {
  private static final String INSERT_NEW =
      """
      insert into carillon.run
             (schedule_id, slot, version, trigger, target, payload, due_at, wake_at, lane, overlap, policy, sequel)
      select planned.schedule_id, planned.slot, planned.version, 'scheduled', version.target, version.payload,
             planned.due_at, planned.due_at, planned.lane, planned.overlap, planned.policy::jsonb, planned.sequel
        from unnest(:ids, :slots, :versions, :dueAts, :lanes, :overlaps, :policies, :sequels)
          as planned (schedule_id, slot, version, due_at, lane, overlap, policy, sequel)
        join carillon.schedule_version as version
          on version.schedule_id = planned.schedule_id and version.version = planned.version
      """;
  /* The conflict check costs each insert. Without it, a batch with an existing run fails and is halved,
   * until its schedule is alone and skips that slot. */
  private static final String INSERT_ANY = INSERT_NEW + "on conflict do nothing";
  private static final String RETURNING = "\nreturning schedule_id, slot, ordinal";

  private final Database database;
  private final RuleBooks ruleBooks = new RuleBooks();
  private final WorkingCalendars workingCalendars = new WorkingCalendars();

  public PlanStore(Database database) {
    this.database = database;
  }

  /** The standing of a schedule, and the plan made of it. */
  public record Planned(Standing standing, Plan plan) {}

  /**
   * A schedule to plan: its standing, or why its definition cannot be read.
   *
   * @param planBy when it must be planned
   * @param revision the revision of calendars and quiet hours to plan by
   */
  public record Candidate(
      long scheduleId, Instant planBy, long revision, Optional<Standing> standing, String problem) {

    /** Tell whether all its missed slots run, one after the other. */
    public boolean queuesMissed(Instant now) {
      return standing
          .filter(one -> one.definition().overlap().rule() == Overlap.Rule.QUEUE)
          .filter(one -> one.definition().catchUp().mode() == CatchUp.Mode.ALL)
          .filter(
              one -> one.plannedThrough().isBefore(now.minus(one.definition().catchUp().grace())))
          .isPresent();
    }

    /** Tell whether catch-up spreads its missed slots over the time that is planned. */
    public boolean spreads() {
      return standing
          .filter(one -> one.definition().catchUp().mode() == CatchUp.Mode.SPREAD)
          .isPresent();
    }
  }

  /**
   * A locked cursor.
   *
   * @param plannedThrough slots up to here are runs or decisions
   * @param rewound whether later slots may have runs already
   */
  public record CursorRow(
      long scheduleId, Instant plannedThrough, Instant planBy, long plannedRuns, boolean rewound) {}

  /**
   * Lock the cursors of up to {@code limit} schedules to plan by {@code until}, most urgent first;
   * by {@code horizon} if their slots are so far apart that waiting would not batch them.
   */
  public List<CursorRow> lockDue(Transaction tx, Instant until, Instant horizon, int limit) {
    return tx.query(
        "lock due cursors",
        """
        select schedule_id, planned_through, plan_by, planned_runs, rewound_from is not null as rewound
          from carillon.cursor  -- against other planners, which skip it, and against edits, which wait
         where plan_by <= :horizon
           and (plan_by <= :until or (next_slot - planned_through >= :horizon - :until and plan_by <= next_slot))
         order by plan_by
         limit :limit
           for update skip locked
        """,
        bind -> bind.set("until", until).set("horizon", horizon).set("limit", limit),
        PlanStore::locked);
  }

  /**
   * Return, unlocked, up to {@code limit} cursors overdue at {@code now}, by number after {@code
   * after}.
   */
  public List<CursorRow> overdue(long after, Instant now, int limit) {
    return database.query(
        "find overdue cursors",
        """
        select schedule_id, planned_through, plan_by, planned_runs, rewound_from is not null as rewound
          from carillon.cursor
         where plan_by <= :now
           and schedule_id > :after
         order by schedule_id
         limit :limit
        """,
        bind -> bind.set("after", after).set("now", now).set("limit", limit),
        PlanStore::locked);
  }

  private static CursorRow locked(Row row) {
    return new CursorRow(
        row.number("schedule_id"),
        row.instant("planned_through"),
        row.instant("plan_by"),
        row.number("planned_runs"),
        row.flag("rewound"));
  }

  List<CursorRow> lock(Transaction tx, Collection<Long> ids) {
    return tx.query(
        "lock cursors",
        """
        select schedule_id, planned_through, coalesce(plan_by, planned_through) as plan_by, planned_runs,
               rewound_from is not null as rewound
          from carillon.cursor  -- against changes, which wait or come first
         where schedule_id = any(:ids)
         order by schedule_id
           for update
        """,
        bind -> bind.array("ids", "bigint", ids, id -> id),
        PlanStore::locked);
  }

  /**
   * Read the standings of schedules with locked cursors, in their order. A separate statement: the
   * snapshot of the locking one may be older than an edit it waited for.
   */
  public List<Candidate> candidates(Statements statements, List<CursorRow> locked) {
    var rewound = new RewoundSlots(statements, locked.stream().filter(CursorRow::rewound).toList());
    List<Candidate> candidates =
        statements.query(
            "read standings",
            """
            select due.place, schedule.key, schedule.version, schedule.pause_from, version.target, version.payload,
                   version.definition, version.tags,
                   coalesce((select revision
                               from carillon.business_time), 0) as revision
              from unnest(:ids) with ordinality as due (id, place)
              join carillon.schedule
                on schedule.id = due.id
              join carillon.schedule_version as version
                on version.schedule_id = due.id and version.version = schedule.version
             where schedule.status = 'active'
             order by due.place
            """,
            bind -> bind.array("ids", "bigint", locked, CursorRow::scheduleId),
            row -> {
              CursorRow cursor = locked.get(Math.toIntExact(row.number("place")) - 1);
              return candidate(cursor, row, rewound, row.number("revision"));
            });
    return RuledCandidates.with(statements, ruleBooks, candidates);
  }

  private static Candidate candidate(
      CursorRow cursor, Row row, RewoundSlots rewound, long revision) {
    long id = cursor.scheduleId;
    try {
      Definition definition = DefinitionColumns.read(row);
      var standing =
          new Standing(
              id,
              row.text("key"),
              row.integer("version"),
              definition,
              cursor.plannedThrough,
              rewound.settled(cursor, definition.timing()),
              cursor.plannedRuns,
              row.optionalInstant("pause_from"));
      return new Candidate(id, cursor.planBy, revision, Optional.of(standing), "");
    } catch (IllegalArgumentException | IllegalStateException | ClassCastException e) {
      return new Candidate(
          id, cursor.planBy, revision, Optional.empty(), String.valueOf(e.getMessage()));
    }
  }

  /** Count the unstarted runs of schedules, each up to the longest queue. */
  public Map<Long, Integer> unstarted(Transaction tx, List<Long> ids) {
    if (ids.isEmpty()) {
      return Map.of();
    }
    return tx.map(
        "count unstarted runs",
        """
        select wanted.id, (select count(*)
                             from (select
                                     from carillon.run
                                    where schedule_id = wanted.id
                                      and state = 'pending'
                                    limit :most) as unstarted) as runs
          from unnest(:ids) as wanted (id)
        """,
        bind -> bind.set("most", Overlap.MAX_QUEUE).array("ids", "bigint", ids, id -> id),
        row -> row.number("id"),
        row -> Math.toIntExact(row.number("runs")));
  }

  /**
   * Write runs, decisions and cursors; schedules that are behind are planned again at {@code
   * again}.
   */
  public void write(Transaction tx, List<Planned> planned, Instant now, Instant again) {
    createLanes(tx, planned);
    insertRuns(tx, planned);
    new PlanDecisions(tx, now).write(planned);
    advance(tx, planned, again);
  }

  private void createLanes(Transaction tx, List<Planned> planned) {
    List<Long> lanes =
        planned.stream()
            .filter(one -> one.standing().plannedRuns() == 0)
            .flatMap(one -> lane(one.standing()).stream())
            .toList();
    if (!lanes.isEmpty()) {
      new LaneStore().create(tx, lanes);
    }
  }

  private record NewRun(Standing standing, PlannedRun run) {
    Optional<RunDeadline> deadline(Function<String, Optional<BusinessCalendar>> calendars) {
      return RunDeadline.of(
          new RunId(standing.scheduleId(), run.slot(), 0),
          standing.version(),
          standing.definition(),
          meant(),
          run.dueAt(),
          calendars);
    }

    private Instant meant() {
      return standing.moves().rule().due(run.slot()) instanceof Due.At at ? at.at() : run.slot();
    }
  }

  private void insertRuns(Transaction tx, List<Planned> planned) {
    var rows = new ArrayList<NewRun>();
    planned.forEach(
        one -> one.plan().runs().forEach(run -> rows.add(new NewRun(one.standing(), run))));
    if (rows.isEmpty()) {
      return;
    }
    String sql = planned.size() > 1 ? INSERT_NEW : INSERT_ANY;
    List<RunDeadline> deadlines =
        rows.stream()
            .flatMap(row -> row.deadline(name -> workingCalendars.find(tx, name)).stream())
            .toList();
    if (deadlines.isEmpty()) {
      tx.update("insert planned runs", sql, bind -> bind(bind, rows));
      return;
    }
    Set<RunId> inserted =
        Set.copyOf(
            tx.query(
                "insert planned runs", sql + RETURNING, bind -> bind(bind, rows), RunRows::toId));
    DeadlineStore.insert(
        tx, deadlines.stream().filter(one -> inserted.contains(one.run())).toList());
  }

  private static Bind bind(Bind bind, List<NewRun> rows) {
    return bind.array("ids", "bigint", rows, row -> row.standing.scheduleId())
        .array("slots", "timestamptz", rows, row -> row.run.slot())
        .array("versions", "int", rows, row -> row.standing.version())
        .array("dueAts", "timestamptz", rows, row -> row.run.dueAt())
        .array("lanes", "bigint", rows, row -> lane(row.standing))
        .array(
            "overlaps",
            "text",
            rows,
            row -> RunPolicyJson.stored(row.standing.definition().overlap()))
        .array(
            "policies", "text", rows, row -> RunPolicyJson.of(row.standing.definition().policy()))
        .array("sequels", "text", rows, row -> row.run.sequel().map(EnumText::of));
  }

  private static Optional<Long> lane(Standing standing) {
    return standing.definition().overlap().exclusive()
        ? Optional.of(standing.scheduleId())
        : Optional.empty();
  }

  private void advance(Transaction tx, List<Planned> planned, Instant again) {
    tx.update(
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
                .array(
                    "bys",
                    "timestamptz",
                    planned,
                    one -> one.plan().behind() ? Optional.of(again) : one.plan().planBy())
                .array("runs", "bigint", planned, one -> one.plan().plannedRuns()));
  }

  /**
   * When planning has work next.
   *
   * @param due whether {@link #lockDue} would find cursors
   * @param resumeAt when the next pause ends
   * @param pauseAt when the next coming pause begins
   * @param replans whether calendars or quiet hours have changed and schedules are to be replanned
   * @param revision the revision of calendars and quiet hours
   */
  public record Agenda(
      boolean due,
      Optional<Instant> planBy,
      Optional<Instant> resumeAt,
      Optional<Instant> pauseAt,
      boolean replans,
      long revision) {}

  /** Return the agenda, without locks. */
  public Agenda agenda(Instant until, Instant horizon) {
    return database.one(
        "find what to plan next",
        """
        select (select plan_by
                  from carillon.cursor
                 where plan_by <= :horizon
                   and (plan_by <= :until
                        or (next_slot - planned_through >= :horizon - :until and plan_by <= next_slot))
                 order by plan_by  -- along the index; "exists" would read the table
                 limit 1) is not null as due,
               (select min(plan_by)
                  from carillon.cursor
                 where plan_by is not null) as plan_by,
               (select min(paused_until)
                  from carillon.schedule
                 where paused_until is not null) as resume_at,
               (select min(pause_from)
                  from carillon.schedule
                 where pause_from is not null
                   and status = 'active') as pause_at,
               exists (select
                         from carillon.replan
                        where done_at is null) as replans,
               coalesce((select revision
                           from carillon.business_time), 0) as revision
        """,
        bind -> bind.set("until", until).set("horizon", horizon),
        row ->
            new Agenda(
                row.flag("due"),
                row.optionalInstant("plan_by"),
                row.optionalInstant("resume_at"),
                row.optionalInstant("pause_at"),
                row.flag("replans"),
                row.number("revision")));
  }
}
