package dev.carillon.store.schedule;

import dev.carillon.model.StorableText;
import dev.carillon.store.jdbc.Transaction;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Locks schedules and then their cursors for a change, each in the order of their numbers. */
final class ScheduleLocks {
  private static final String LOCK =
      """
      select id
        from carillon.schedule  -- against other changes of them, which wait
       where id = any(:ids)
       order by id
         for update
      """;

  private final Transaction tx;

  ScheduleLocks(Transaction tx) {
    this.tx = tx;
  }

  Optional<LockedSchedule> byKey(String key) {
    if (!StorableText.is(key)) {
      return Optional.empty();
    }
    tx.limitIdleTime();
    List<Long> id =
        tx.query(
            "lock a schedule by its key",
            """
            select id
              from carillon.schedule  -- against other changes of it, which wait
             where key = :key
               for update
            """,
            bind -> bind.set("key", key),
            row -> row.number("id"));
    return read(id).stream().findFirst();
  }

  List<LockedSchedule> byId(Collection<Long> ids) {
    return read(lock(ids));
  }

  /** Lock only the cursors of schedules, as planning does. */
  List<LockedSchedule> cursors(List<Long> ids) {
    tx.query(
        "lock only cursors",
        """
        select schedule_id
          from carillon.cursor  -- against planners, which skip it, and against edits, which wait or come first
         where schedule_id = any(:ids)
         order by schedule_id
           for update
        """,
        bind -> bind.array("ids", "bigint", ids, id -> id),
        row -> row.number("schedule_id"));
    return read(ids);
  }

  /** Lock the rows of schedules without their cursors, and return those that exist. */
  List<Long> lock(Collection<Long> ids) {
    tx.limitIdleTime();
    return tx.query(
        "lock schedules",
        LOCK,
        bind -> bind.array("ids", "bigint", ids, id -> id),
        row -> row.number("id"));
  }

  /** Lock the same when the next statement is sent, before it runs. */
  void lockLater(Collection<Long> ids) {
    tx.limitIdleTime();
    tx.later("lock schedules", LOCK, bind -> bind.array("ids", "bigint", ids, id -> id));
  }

  /* A new statement: the snapshot of the locking one may be older than the change it waited for. */
  private List<LockedSchedule> read(List<Long> ids) {
    if (ids.isEmpty()) {
      return List.of();
    }
    List<LockedSchedule> locked =
        tx.query(
            "lock cursors of schedules",
            """
        select schedule.id, schedule.key, schedule.version, schedule.status, schedule.pause_reason,
               schedule.paused_until, schedule.pause_from, schedule.coming_pause_reason, schedule.coming_pause_until,
               schedule.completed, schedule.created_at, schedule.created_by, schedule.updated_at,
               schedule.updated_by, version.target, version.payload, version.definition, version.tags,
               cursor.next_slot, cursor.planned_through, cursor.planned_runs
          from carillon.schedule
          join carillon.schedule_version as version
            on version.schedule_id = schedule.id and version.version = schedule.version
          join carillon.cursor
            on cursor.schedule_id = schedule.id
         where schedule.id = any(:ids)
         order by schedule.id
           for update of cursor  -- against planners, which skip it
        """,
            bind -> bind.array("ids", "bigint", ids, id -> id),
            row ->
                new LockedSchedule(
                    ScheduleStore.toSchedule(row),
                    row.instant("planned_through"),
                    row.number("planned_runs"),
                    Optional.empty()));
    Map<Long, Instant> decidedAt = decidedAt(locked.stream().map(LockedSchedule::id).toList());
    return locked.stream()
        .map(one -> one.decidedAt(Optional.ofNullable(decidedAt.get(one.id()))))
        .toList();
  }

  /* A new statement again, for what a planner has decided that held the cursor. */
  private Map<Long, Instant> decidedAt(List<Long> ids) {
    return tx.map(
        "find last decisions",
        """
        select wanted.id, last.decided_at
          from unnest(:ids) as wanted (id)
         cross join lateral (
               select decided_at
                 from carillon.decision
                where schedule_id = wanted.id
                  and reason <> 'outside_window'  -- decided ahead of time
                order by first_slot desc
                limit 1) as last
        """,
        bind -> bind.array("ids", "bigint", ids, id -> id),
        row -> row.number("id"),
        row -> row.instant("decided_at"));
  }
}
