package dev.carillon.store;

import dev.carillon.store.PlanStore.TakenBack;
import java.time.Instant;
import java.util.List;

/**
 * Takes back what was planned for a time when no node was alive: those slots are planned again, so
 * that what was missed is left to catch-up.
 *
 * <p>What was due before stays: it waits for capacity, and is merely late. So does what is not due
 * yet, unless an earlier slot of its schedule was missed.
 */
final class Outage {
  /* Those who change schedules wait while a batch is taken back. */
  private static final int BATCH = 1_000;

  private final Database database;

  Outage(Database database) {
    this.database = database;
  }

  /** Take back the runs of some schedules that missed one. */
  TakenBack takeBack(Instant since, Instant now) {
    List<Long> missed = missed(since, now);
    if (missed.isEmpty()) {
      return TakenBack.NOTHING;
    }
    lockCursors();
    return new TakenBack(withdraw(missed, since), true);
  }

  private List<Long> missed(Instant since, Instant now) {
    return database.query(
        "find schedules that missed a run",
        """
        with recursive target (name) as (  -- by the index: of each target, its first run only
          (select target
             from carillon.run
            where wake_at is not null
            order by target
            limit 1)
           union all
          select (select target
                    from carillon.run
                   where wake_at is not null
                     and target > target.name
                   order by target
                   limit 1)
            from target
           where target.name is not null)
        select distinct schedule_id
          from (select run.schedule_id
                  from target
                 cross join lateral (
                       select schedule_id, slot, due_at, state, trigger, attempt, created_by
                         from carillon.run
                        where run.target = target.name
                          and run.wake_at > :since
                          and run.wake_at <= :now
                       offset 0) as run  -- looked up by target, not by a scan of all that is planned
                  join carillon.schedule
                    on schedule.id = run.schedule_id
                  join carillon.schedule_version as version
                    on version.schedule_id = schedule.id and version.version = schedule.version
                 where run.state = 'pending'
                   and run.trigger = 'scheduled'
                   and run.attempt = 0
                   and run.due_at > :since
                   and run.slot > schedule.updated_at  -- the cursor never goes back behind a change
                   and run.created_by is null  -- what somebody asked for is theirs
                   and schedule.status = 'active'
                   and version.definition -> 'timing' ->> 'after' is null  -- those are never missed, only late
                 limit :batch) as missed
        """,
        bind -> bind.set("since", since).set("now", now).set("batch", BATCH),
        row -> row.number("schedule_id"));
  }

  /* A statement of its own, before the one that reads who is active: a schedule that is paused,
   * changed or retired at the same moment has decided about its runs, and keeps its cursor. Whoever
   * changes a schedule locks its cursor before anything else is decided. */
  private void lockCursors() {
    database.script(
        "lock all cursors", // against changes, which wait or come first
        "lock table carillon.cursor in exclusive mode");
  }

  private int withdraw(List<Long> schedules, Instant since) {
    return database
        .query(
            "take planned runs back",
            """
            with withdrawn as (
              delete from carillon.run as run
               using unnest(:ids) as missed (id), carillon.schedule, carillon.schedule_version as version
               where run.schedule_id = missed.id
                 and run.state = 'pending'
                 and run.trigger = 'scheduled'
                 and run.attempt = 0
                 and run.wake_at is not null
                 and run.due_at > :since
                 and schedule.id = missed.id
                 and schedule.status = 'active'
                 and run.slot > schedule.updated_at
                 and run.created_by is null
                 and version.schedule_id = schedule.id
                 and version.version = schedule.version
                 and version.definition -> 'timing' ->> 'after' is null
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
            bind -> bind.set("since", since).array("ids", "bigint", schedules, id -> id),
            row -> Math.toIntExact(row.number("runs")))
        .get(0);
  }
}
