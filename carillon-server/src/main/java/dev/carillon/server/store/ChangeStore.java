package dev.carillon.server.store;

import dev.carillon.json.Json;
import dev.carillon.model.AuditEntry;
import dev.carillon.model.ChangedBy;
import dev.carillon.model.Run;
import dev.carillon.model.RunId;
import dev.carillon.store.jdbc.Database;
import dev.carillon.store.jdbc.Row;
import dev.carillon.store.run.RunRows;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The change log: committed changes in a stable order. */
public final class ChangeStore {
  /* How long before its transaction a change may have happened: a slower node has lost its lease. */
  private static final Duration SLACK = Duration.ofSeconds(30);

  /* How many of the first and last runs of each target, and of expiring ones, are read. */
  private static final int NEAR = 1_000;

  /* Runs may be claimed a moment before they are due. */
  private static final Duration AHEAD = Duration.ofSeconds(1);

  private final Database database;

  public ChangeStore(Database database) {
    this.database = database;
  }

  /** The numbers of the oldest open transaction and of the next one. */
  public record Snapshot(long oldest, long next) {
    /**
     * Return the position up to which all changes are known, if later ones are since {@code at}.
     */
    public ChangePosition place(Instant at) {
      return ChangePosition.before(oldest, at);
    }
  }

  /** Return the current snapshot. */
  public Snapshot snapshot() {
    return database.one(
        "find the transactions under way",
        """
        select pg_snapshot_xmin(snapshot)::text::bigint as oldest, pg_snapshot_xmax(snapshot)::text::bigint as next
          from pg_current_snapshot() as snapshot
        """,
        row -> new Snapshot(row.number("oldest"), row.number("next")));
  }

  /**
   * Return the first changes after {@code after} and before {@code until}, in order. The lower half
   * of a transaction's number is in its rows; the upper half follows from that of the next one.
   */
  public List<Change> between(ChangePosition after, ChangePosition until, int limit) {
    return database.query(
        "list changes",
        """
        with next as materialized (
          select pg_snapshot_xmax(pg_current_snapshot())::text::bigint as transaction),
        change as (
          select next.transaction - ((next.transaction - audit.xmin::text::bigint) & 4294967295) as transaction,
                 0 as kind, audit.id as number, 'epoch'::timestamptz as slot, 0 as ordinal, audit.schedule_id,
                 audit.at as changed_at, audit.actor, audit.action, audit.details::text as details,
                 null::integer as version, null as trigger, null as target, null::timestamptz as due_at,
                 null as state, null::integer as attempt, null::uuid as node_id, null::timestamptz as started_at,
                 null::timestamptz as finished_at, null as failure_code, null as failure_message, null as reason,
                 null as correlation, null as external_id
            from carillon.audit, next
           where audit.at >= :since
             and audit.schedule_id is not null
             and audit.action like 'schedule.%'
           union all
          select next.transaction - ((next.transaction - history.xmin::text::bigint) & 4294967295),
                 1, history.schedule_id, history.slot, history.ordinal, history.schedule_id,
                 history.finished_at, null, null, null,
                 history.version, history.trigger, history.target, history.due_at,
                 history.state, history.attempt, history.node_id, history.started_at,
                 history.finished_at, history.failure_code, history.failure_message, history.reason,
                 history.correlation, history.external_id
            from carillon.history, next
           where history.finished_at >= :since)
        select change.*, '{}' as payload, null as overlap, null as policy, null as attempts, null as progress,
               null as failure_details, schedule.key
          from change
          left join carillon.schedule
            on schedule.id = change.schedule_id
         where change.transaction < :until
           and (change.transaction, change.kind, change.number, change.slot, change.ordinal)
               > (:transaction, :kind, :number, :slot, :ordinal)
         order by change.transaction, change.kind, change.number, change.slot, change.ordinal
         limit :limit
        """,
        bind ->
            bind.set("since", after.at().minus(SLACK))
                .set("until", until.transaction())
                .set("transaction", after.transaction())
                .set("kind", after.run().isPresent() ? 1 : 0)
                .set("number", after.run().map(RunId::schedule).orElse(after.line()))
                .set("slot", after.run().map(RunId::slot).orElse(Instant.EPOCH))
                .set("ordinal", after.run().map(RunId::ordinal).orElse(0))
                .set("limit", limit),
        ChangeStore::toChange);
  }

  /** What a scope goes by, besides the key: the target and the tags of a schedule as it stands. */
  public record Marks(String target, List<String> tags) {}

  /** Return the marks of the schedules called {@code keys}. */
  public Map<String, Marks> marks(Collection<String> keys) {
    if (keys.isEmpty()) {
      return Map.of();
    }
    return database.map(
        "find targets and tags of schedules",
        """
        select schedule.key, version.target, version.tags
          from unnest((select :keys)) as wanted (key)
          join carillon.schedule
            on schedule.key = wanted.key
          join carillon.schedule_version as version
            on version.schedule_id = schedule.id and version.version = schedule.version
        """,
        bind -> bind.each("keys", "text", keys, key -> key),
        row -> row.text("key"),
        row -> new Marks(row.text("target"), row.texts("tags")));
  }

  private static Change toChange(Row row) {
    long transaction = row.number("transaction");
    Instant at = row.instant("changed_at");
    if (row.integer("kind") == 0) {
      var entry =
          new AuditEntry(
              row.number("number"),
              new ChangedBy(at, row.text("actor")),
              row.text("action"),
              row.optionalText("key"),
              Json.readObject(row.text("details")));
      return new Change(
          new ChangePosition(transaction, at, Optional.empty(), entry.id()),
          Optional.empty(),
          Optional.of(entry));
    }
    Run run = RunRows.toRun(row);
    return new Change(
        new ChangePosition(transaction, at, Optional.of(run.id()), 0),
        Optional.of(run),
        Optional.empty());
  }

  /**
   * Return runs started since {@code since}, earliest first. The cost is bounded: some may be
   * missed.
   */
  public List<Run> started(Instant since, Instant now, int limit) {
    return database.query(
        "list what was started",
        """
        with recursive label as (  -- steps through the index from target to target
          select min(target) as target
            from carillon.run
           where wake_at is not null
           union all
          select (select min(target)
                    from carillon.run
                   where target > label.target
                     and wake_at is not null)
            from label
           where label.target is not null),
        near as (
          select run.*
            from label
           cross join lateral (
                 (select schedule_id, slot, ordinal, state, started_at
                    from carillon.run
                   where target = label.target
                     and wake_at <= :soon
                   order by wake_at desc
                   limit :near)
                  union all
                 (select schedule_id, slot, ordinal, state, started_at
                    from carillon.run
                   where target = label.target
                     and wake_at <= :soon
                   order by wake_at
                   limit :near)) as run
           union all
          (select schedule_id, slot, ordinal, state, started_at  -- accepted or leased
             from carillon.run
            where expires_at is not null
            order by expires_at desc
            limit :near)
           union all
          (select schedule_id, slot, ordinal, state, started_at
             from carillon.run
            where expires_at is not null
            order by expires_at
            limit :near)),
        fresh as (
          select distinct schedule_id, slot, ordinal, started_at
            from near
           where state = 'running'
             and started_at >= :since
           order by started_at
           limit :limit)
        select live.schedule_id, live.slot, live.ordinal, live.version, live.trigger, live.target, live.due_at,
               live.state, live.attempt, live.node_id, live.started_at, live.finished_at, live.failure_code,
               live.failure_message, live.reason, live.correlation, live.external_id, schedule.key,
               '{}' as payload, null as overlap, null as policy, null as attempts, null as progress,
               null as failure_details
          from fresh
          join carillon.live_run as live
         using (schedule_id, slot, ordinal)
          left join carillon.schedule
            on schedule.id = live.schedule_id
         order by live.started_at
        """,
        bind ->
            bind.set("since", since)
                .set("soon", now.plus(AHEAD))
                .set("near", NEAR)
                .set("limit", limit),
        RunRows::toRun);
  }
}
