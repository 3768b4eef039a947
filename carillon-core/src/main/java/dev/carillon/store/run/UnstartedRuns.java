package dev.carillon.store.run;

import dev.carillon.event.Event;
import dev.carillon.event.Event.RunRef;
import dev.carillon.model.EndReason;
import dev.carillon.model.RunId;
import dev.carillon.model.RunState;
import dev.carillon.store.jdbc.EnumText;
import dev.carillon.store.jdbc.Row;
import dev.carillon.store.jdbc.Transaction;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Ends runs that have not started, as skipped or canceled, with the effects of their end. */
public final class UnstartedRuns {
  private final Transaction tx;

  public UnstartedRuns(Transaction tx) {
    this.tx = tx;
  }

  /** The end of a run that has not started: canceled or skipped, and why. */
  public record Unstarted(RunId id, RunState state, EndReason reason) {}

  /** End runs that have not started, all for the same reason. */
  public List<RunId> end(List<RunId> runs, RunState state, EndReason reason, Instant now) {
    return end(runs.stream().map(id -> new Unstarted(id, state, reason)).toList(), now);
  }

  /** End runs that have not started. */
  public List<RunId> end(List<Unstarted> runs, Instant now) {
    if (runs.isEmpty()) {
      return new ArrayList<>();
    }
    var reasons = new HashMap<RunId, EndReason>();
    runs.forEach(end -> reasons.put(end.id, end.reason));
    List<EndedRun> ended =
        tx.query(
            "end pending runs",
            """
            with done as (
              delete from carillon.run as run
               using unnest((select :schedules), (select :slots), (select :ordinals), (select :states),
                            (select :reasons))
                  as ended (schedule_id, slot, ordinal, state, reason)
               where run.schedule_id = ended.schedule_id
                 and run.slot = ended.slot
                 and run.ordinal = ended.ordinal
                 and run.state = 'pending'
              returning run.*, ended.state as ended, ended.reason),
            recorded as (
              insert into carillon.history
                     (schedule_id, slot, ordinal, version, trigger, target, payload, due_at, state, attempt, overlap,
                      policy, started_at, finished_at, reason, progress, attempts, correlation, created_by)
              select schedule_id, slot, ordinal, version, trigger, target, payload, due_at, ended, attempt, overlap,
                     policy, null, :now, reason, progress, attempts, correlation, created_by
                from done
                  on conflict do nothing
              returning slot, target, state),
            counted as (
              insert into carillon.run_count_delta (hour, target, state, runs)
              select date_bin('1 hour', slot, 'epoch'), target, state, count(*)
                from recorded
               group by 1, 2, 3)
            select done.schedule_id, done.slot, done.ordinal, done.trigger, done.ended as state, done.lane, done.sequel,
                   done.policy, null as code, null as message, schedule.key, done.target, done.due_at, done.attempt
              from done
              left join carillon.schedule
                on schedule.id = done.schedule_id
            """,
            bind ->
                RunKeys.bind(bind, runs, Unstarted::id)
                    .array("states", "text", runs, end -> EnumText.of(end.state))
                    .array("reasons", "text", runs, end -> end.reason.text())
                    .set("now", now),
            row -> {
              tx.publish(finished(row, reasons, now));
              return EndedRun.of(row);
            });
    new RunEndEffects(tx).follow(ended, now);
    return ended.stream().map(EndedRun::id).toList();
  }

  private static Event.Finished finished(Row row, Map<RunId, EndReason> reasons, Instant now) {
    RunId id = RunRows.toId(row);
    return new Event.Finished(
        now,
        new RunRef(id, row.optionalText("key"), row.text("target")),
        row.constant("state", RunState.class),
        row.instant("due_at"),
        Optional.empty(),
        row.integer("attempt"),
        Optional.empty(),
        Optional.ofNullable(reasons.get(id)));
  }
}
