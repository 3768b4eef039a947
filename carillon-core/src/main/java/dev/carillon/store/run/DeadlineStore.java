package dev.carillon.store.run;

import dev.carillon.model.Run;
import dev.carillon.model.RunId;
import dev.carillon.store.jdbc.Database;
import dev.carillon.store.jdbc.Transaction;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Optional;

/** The deadlines of runs, each until it is judged. */
public final class DeadlineStore {
  private final Database database;

  public DeadlineStore(Database database) {
    this.database = database;
  }

  /** Insert the deadlines of runs that were inserted by {@code tx}. */
  public static void insert(Transaction tx, List<RunDeadline> deadlines) {
    if (deadlines.isEmpty()) {
      return;
    }
    tx.update(
        "insert deadlines",
        """
        insert into carillon.deadline (schedule_id, slot, ordinal, version, at, escalate_to)
        select schedule_id, slot, ordinal, version, at, escalate_to
          from unnest(:schedules, :slots, :ordinals, :versions, :times, :targets)
            as given (schedule_id, slot, ordinal, version, at, escalate_to)
            on conflict (schedule_id, slot, ordinal)  -- of a run that was planned before and taken back
            do update set version = excluded.version, at = excluded.at, escalate_to = excluded.escalate_to
        """,
        bind ->
            RunKeys.bind(bind, deadlines, RunDeadline::run)
                .array("versions", "int", deadlines, RunDeadline::version)
                .array("times", "timestamptz", deadlines, RunDeadline::at)
                .array("targets", "text", deadlines, RunDeadline::escalateTo));
  }

  /** Return when the next deadline is over. */
  public Optional<Instant> next() {
    return database.first(
        "find the next deadline",
        """
        select at
          from carillon.deadline
         order by at
         limit 1
        """,
        bind -> {},
        row -> row.instant("at"));
  }

  /** Lock up to {@code limit} deadlines that are over, the longest over first. */
  public List<RunDeadline> lockOver(Transaction tx, Instant now, int limit) {
    return tx.query(
        "lock deadlines",
        """
        select schedule_id, slot, ordinal, version, at, escalate_to
          from carillon.deadline  -- against other nodes, which skip it
         where at <= :now
         order by at
         limit :limit
           for update skip locked
        """,
        bind -> bind.set("now", now).set("limit", limit),
        row ->
            new RunDeadline(
                RunRows.toId(row),
                row.integer("version"),
                row.instant("at"),
                row.text("escalate_to")));
  }

  /** Lock those of {@code runs} that are live and that no other transaction is about to change. */
  public List<Run> lockLive(Transaction tx, Collection<RunId> runs) {
    return tx.query(
        "lock runs with deadlines",
        """
        select run.schedule_id, run.slot, run.ordinal, run.version, run.trigger, run.target, null as payload, run.due_at,
               run.state, run.attempt, run.overlap, run.policy, run.node_id, run.started_at, run.progress, run.attempts,
               run.correlation, run.external_id, run.cancel_reason as reason, schedule.key,
               null::timestamptz as finished_at, null as failure_code, null as failure_message, null as failure_details
          from unnest((select :schedules), (select :slots), (select :ordinals)) as wanted (schedule_id, slot, ordinal)
          join carillon.run  -- against ends and claims, which wait; what they have locked is judged later
         using (schedule_id, slot, ordinal)
          left join carillon.schedule
            on schedule.id = run.schedule_id
           for update of run skip locked
        """,
        bind -> RunKeys.bind(bind, runs, id -> id),
        RunRows::toRun);
  }

  /** Return those of {@code runs} that are live or finished, without their payloads. */
  public List<Run> find(Transaction tx, Collection<RunId> runs) {
    return runs.isEmpty()
        ? List.of()
        : tx.query(
            "find runs with deadlines",
            """
            select any_run.schedule_id, any_run.slot, any_run.ordinal, any_run.version, any_run.trigger, any_run.target,
                   null as payload, any_run.due_at, any_run.state, any_run.attempt, any_run.overlap, any_run.policy,
                   any_run.node_id, any_run.started_at, any_run.finished_at, any_run.failure_code,
                   any_run.failure_message, any_run.failure_details, any_run.reason, any_run.progress, any_run.attempts,
                   any_run.correlation, any_run.external_id, schedule.key
              from unnest((select :schedules), (select :slots), (select :ordinals))
                as wanted (schedule_id, slot, ordinal)
              join carillon.any_run
             using (schedule_id, slot, ordinal)
              left join carillon.schedule
                on schedule.id = any_run.schedule_id
            """,
            bind -> RunKeys.bind(bind, runs, id -> id),
            RunRows::toRun);
  }

  /** Delete deadlines that are judged. */
  public void delete(Transaction tx, Collection<RunId> runs) {
    tx.update(
        "delete deadlines",
        """
        delete from carillon.deadline
         using unnest((select :schedules), (select :slots), (select :ordinals)) as judged (schedule_id, slot, ordinal)
         where deadline.schedule_id = judged.schedule_id
           and deadline.slot = judged.slot
           and deadline.ordinal = judged.ordinal
        """,
        bind -> RunKeys.bind(bind, runs, id -> id));
  }
}
