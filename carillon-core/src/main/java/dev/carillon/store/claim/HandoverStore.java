package dev.carillon.store.claim;

import dev.carillon.model.Run;
import dev.carillon.model.RunId;
import dev.carillon.store.jdbc.Database;
import dev.carillon.store.jdbc.Transaction;
import dev.carillon.store.run.Owner;
import dev.carillon.store.run.RunKeys;
import dev.carillon.store.run.RunRows;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Optional;

/** Runs that a target has accepted, or a worker leased. */
public final class HandoverStore {
  private final Database database;

  public HandoverStore(Database database) {
    this.database = database;
  }

  /**
   * A run to hand over, with its external id.
   *
   * @param until when it expires without a report
   */
  public record Handover(Run run, Instant startedAt, Instant until) {}

  /** A run that was handed over, and why it was asked to stop. */
  public record HandedOver(RunId id, Optional<String> cancelReason) {}

  /** Hand runs of {@code node} over to their targets; missing ones were lost to the fence. */
  public List<HandedOver> accept(Transaction tx, Owner node, List<Handover> runs) {
    return tx.query(
        "hand runs over",
        """
        update carillon.run as run
           set node_epoch = :accepted, started_at = accepted.started_at, expires_at = accepted.expires_at,
               wake_at = null,  -- else each claim would read it
               external_id = coalesce(accepted.external_id, run.external_id)
          from unnest((select :schedules), (select :slots), (select :ordinals), (select :attempts),
                      (select :starts), (select :expiries), (select :externals))
            as accepted (schedule_id, slot, ordinal, attempt, started_at, expires_at, external_id)
         where run.schedule_id = accepted.schedule_id
           and run.slot = accepted.slot
           and run.ordinal = accepted.ordinal
           and run.state = 'running'
           and run.node_id = :node  -- fence: a reported run is gone, or belongs to another attempt
           and run.node_epoch = :epoch
           and run.attempt = accepted.attempt
        returning run.schedule_id, run.slot, run.ordinal, run.cancel_reason
        """,
        bind ->
            RunKeys.bind(node.bind(bind), runs, one -> one.run.id())
                .set("accepted", Owner.ACCEPTED)
                .array("attempts", "int", runs, one -> one.run.attempt())
                .array("starts", "timestamptz", runs, Handover::startedAt)
                .array("expiries", "timestamptz", runs, Handover::until)
                .array("externals", "text", runs, one -> one.run.externalId()),
        row -> new HandedOver(RunRows.toId(row), row.optionalText("cancel_reason")));
  }

  /** Return those of {@code runs} that are live. */
  public List<OwnedRun> find(Collection<RunId> runs) {
    return database.query(
        "find live runs",
        """
        select run.*, schedule.key, run.cancel_reason as reason, null::timestamptz as finished_at,
               null as failure_code, null as failure_message, null as failure_details
          from unnest((select :schedules), (select :slots), (select :ordinals)) as wanted (schedule_id, slot, ordinal)
          join carillon.run
         using (schedule_id, slot, ordinal)
          left join carillon.schedule
            on schedule.id = run.schedule_id
        """,
        bind -> RunKeys.bind(bind, runs, id -> id),
        OwnedRun::of);
  }

  /** Lock those of {@code runs} that are live. */
  public List<OwnedRun> lock(Transaction tx, Collection<RunId> runs) {
    return tx.query(
        "lock live runs",
        """
        select run.*, schedule.key, run.cancel_reason as reason, null::timestamptz as finished_at,
               null as failure_code, null as failure_message, null as failure_details
          from unnest((select :schedules), (select :slots), (select :ordinals)) as wanted (schedule_id, slot, ordinal)
          join carillon.run  -- against other ends and renewals, which wait or come first
         using (schedule_id, slot, ordinal)
          left join carillon.schedule
            on schedule.id = run.schedule_id
         order by slot, schedule_id, ordinal  -- as ends are written
           for update of run
        """,
        bind -> RunKeys.bind(bind, runs, id -> id),
        OwnedRun::of);
  }

  /** Lock the accepted runs of {@code runs}, without waiting. */
  public List<OwnedRun> lockAccepted(Transaction tx, Collection<RunId> runs) {
    return tx.query(
        "lock accepted runs",
        """
        select run.*, schedule.key, run.cancel_reason as reason, null::timestamptz as finished_at,
               null as failure_code, null as failure_message, null as failure_details
          from unnest((select :schedules), (select :slots), (select :ordinals)) as wanted (schedule_id, slot, ordinal)
          join carillon.run  -- one that is locked is ending anyway
         using (schedule_id, slot, ordinal)
          left join carillon.schedule
            on schedule.id = run.schedule_id
         where run.state = 'running'
           and run.node_epoch = :accepted
           for update of run skip locked
        """,
        bind -> RunKeys.bind(bind, runs, id -> id).set("accepted", Owner.ACCEPTED),
        OwnedRun::of);
  }

  /** Lock up to {@code limit} accepted or leased runs that expired, oldest first. */
  public List<OwnedRun> lockExpired(Transaction tx, Instant now, int limit) {
    return tx.query(
        "lock expired runs",
        """
        select run.*, schedule.key, run.cancel_reason as reason, null::timestamptz as finished_at,
               null as failure_code, null as failure_message, null as failure_details
          from carillon.run  -- against other nodes, reports and renewals
          left join carillon.schedule
            on schedule.id = run.schedule_id
         where run.expires_at <= :now
         order by run.expires_at
         limit :limit
           for update of run skip locked
        """,
        bind -> bind.set("now", now).set("limit", limit),
        OwnedRun::of);
  }

  /** Return when the next accepted or leased run expires. */
  public Optional<Instant> nextExpiry() {
    return database.first(
        "find the next expiry",
        """
        select expires_at
          from carillon.run
         where expires_at is not null
         order by expires_at
         limit 1
        """,
        bind -> {},
        row -> row.instant("expires_at"));
  }

  /** Write the external ids of runs of {@code node}. */
  public void call(Transaction tx, Owner node, List<Run> runs) {
    tx.update(
        "write external ids",
        """
        update carillon.run as run
           set external_id = given.external_id
          from unnest((select :schedules), (select :slots), (select :ordinals), (select :attempts), (select :externals))
            as given (schedule_id, slot, ordinal, attempt, external_id)
         where run.schedule_id = given.schedule_id
           and run.slot = given.slot
           and run.ordinal = given.ordinal
           and run.state = 'running'
           and run.node_id = :node  -- fence: a recovered run belongs to another node, epoch or attempt
           and run.node_epoch = :epoch
           and run.attempt = given.attempt
        """,
        bind ->
            RunKeys.bind(node.bind(bind), runs, Run::id)
                .array("attempts", "int", runs, Run::attempt)
                .array("externals", "text", runs, Run::externalId));
  }

  /** Write the external id of a run. */
  public void call(Transaction tx, RunId id, String externalId) {
    tx.update(
        "write external id",
        """
        update carillon.run
           set external_id = :externalId
         where schedule_id = :schedule
           and slot = :slot
           and ordinal = :ordinal
        """,
        bind -> RunKeys.bind(bind, id).set("externalId", externalId));
  }
}
