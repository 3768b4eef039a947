package dev.carillon.store.claim;

import dev.carillon.model.EndReason;
import dev.carillon.model.RunId;
import dev.carillon.store.jdbc.Transaction;
import dev.carillon.store.run.LaneStore;
import dev.carillon.store.run.RunKeys;
import dev.carillon.store.run.RunRows;
import java.util.List;

/** Finds and stops runs that make way for a newer one of their lane. */
public final class ReplacedRunStore {
  /** Return the other runs that wait in the lane of {@code except} with a limit. */
  public List<RunId> parked(Transaction tx, RunId except) {
    return tx.query(
        "list parked runs",
        """
        select schedule_id, slot, ordinal
          from carillon.run
         where schedule_id = :schedule
           and lane is not null
           and state = 'pending'
           and wake_at is null
           and (slot, ordinal) <> (:slot, :ordinal)
           and overlap <> :inTurn
           for update skip locked
        """,
        bind -> RunKeys.bind(bind, except).set("inTurn", LaneStore.IN_TURN),
        RunRows::toId);
  }

  /** Lock the pending runs of {@code runs}, without waiting, so that there is no deadlock. */
  public List<RunId> lockPending(Transaction tx, List<RunId> runs) {
    if (runs.isEmpty()) {
      return List.of();
    }
    return tx.query(
        "lock pending runs",
        """
        select run.schedule_id, run.slot, run.ordinal
          from carillon.run
          join unnest((select :schedules), (select :slots), (select :ordinals)) as wanted (schedule_id, slot, ordinal)
         using (schedule_id, slot, ordinal)
         where run.state = 'pending'
           for update of run skip locked
        """,
        bind -> RunKeys.bind(bind, runs, id -> id),
        RunRows::toId);
  }

  /** Ask running runs to stop, without waiting: a locked run is ending anyway. */
  public void askToStop(Transaction tx, List<RunId> runs, EndReason reason) {
    if (runs.isEmpty()) {
      return;
    }
    tx.update(
        "ask runs to stop",
        """
        with asked as materialized (
          select run.schedule_id, run.slot, run.ordinal
            from carillon.run
            join unnest((select :schedules), (select :slots), (select :ordinals)) as asked (schedule_id, slot, ordinal)
           using (schedule_id, slot, ordinal)
           where run.cancel_reason is null
             for update of run skip locked)
        update carillon.run as run
           set cancel_reason = :reason
          from asked
         where run.schedule_id = asked.schedule_id
           and run.slot = asked.slot
           and run.ordinal = asked.ordinal
        """,
        bind -> RunKeys.bind(bind.set("reason", reason.text()), runs, id -> id));
  }
}
