package dev.carillon.store.run;

import dev.carillon.model.Dismissal;
import dev.carillon.model.Run;
import dev.carillon.model.RunId;
import dev.carillon.model.RunState;
import dev.carillon.store.jdbc.Statements;
import dev.carillon.store.jdbc.Transaction;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Dismissals of failed runs, which are then no longer dead letters. */
final class DismissalStore {
  /** Dismiss those of {@code runs} that are dead letters, and return them. */
  List<RunId> insert(Transaction tx, List<RunId> runs, Dismissal dismissal) {
    if (runs.isEmpty()) {
      return List.of();
    }
    return tx.query(
        "dismiss dead letters",
        """
        with failed as materialized (  -- against a redrive, which deletes the run from the history
          select history.schedule_id, history.slot, history.ordinal, history.attempt
            from carillon.history
            join unnest((select :schedules), (select :slots), (select :ordinals)) as wanted (schedule_id, slot, ordinal)
           using (schedule_id, slot, ordinal)
           where history.state = 'failed'
             for share of history)
        insert into carillon.dismissal as known
               (schedule_id, slot, ordinal, attempt, dismissed_at, dismissed_by, reason)
        select schedule_id, slot, ordinal, attempt, :at, :by, :reason
          from failed
         order by schedule_id, slot, ordinal
            on conflict (schedule_id, slot, ordinal)
            do update set attempt = excluded.attempt, dismissed_at = excluded.dismissed_at,
                          dismissed_by = excluded.dismissed_by, reason = excluded.reason
                    where known.attempt < excluded.attempt
        returning schedule_id, slot, ordinal
        """,
        bind ->
            RunKeys.bind(bind, runs, id -> id)
                .by(dismissal.changedBy())
                .set("reason", dismissal.reason()),
        RunRows::toId);
  }

  /** Return {@code runs} with their dismissals. */
  List<Run> withDismissals(Statements statements, List<Run> runs) {
    Map<RunId, Dismissal> known = find(statements, runs);
    return known.isEmpty()
        ? runs
        : runs.stream()
            .map(run -> Optional.ofNullable(known.get(run.id())).map(run::dismissed).orElse(run))
            .toList();
  }

  /** Return the dismissals of those of {@code runs} that are dismissed. */
  Map<RunId, Dismissal> find(Statements statements, List<Run> runs) {
    List<Run> failed = runs.stream().filter(run -> run.state() == RunState.FAILED).toList();
    if (failed.isEmpty()) {
      return Map.of();
    }
    return statements.map(
        "find dismissals",
        """
        select dismissal.schedule_id, dismissal.slot, dismissal.ordinal, dismissal.reason,
               dismissal.dismissed_at, dismissal.dismissed_by
          from carillon.dismissal
          join unnest((select :schedules), (select :slots), (select :ordinals), (select :attempts))
                 as failed (schedule_id, slot, ordinal, attempt)
         using (schedule_id, slot, ordinal, attempt)
        """,
        bind -> RunKeys.bind(bind, failed, Run::id).array("attempts", "int", failed, Run::attempt),
        row -> RunRows.toId(row),
        row -> new Dismissal(row.text("reason"), row.changedBy("dismissed")));
  }
}
