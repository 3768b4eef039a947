package dev.carillon.store.claim;

import dev.carillon.model.Run;
import dev.carillon.model.WorkerInfo;
import dev.carillon.store.jdbc.Bind;
import dev.carillon.store.jdbc.Database;
import dev.carillon.store.jdbc.Transaction;
import dev.carillon.store.run.Owner;
import dev.carillon.store.run.RunKeys;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;

/** Leases of runs by pull workers, and the workers. */
public final class LeaseStore {
  private static final String NEXT_DUE =
      """
      select wanted.target, first.wake_at
        from unnest(:targets) as wanted (target)
       cross join lateral (
             select wake_at
               from carillon.run
              where target = wanted.target
                and wake_at is not null
                and state = 'pending'
              order by wake_at
              limit 1) as first
       order by first.wake_at
      """;
  private static final String SEEN =
      """
      insert into carillon.worker as worker (id, name, since, seen_at, lease_until)
      values (:id, :name, :now, :now, :until)
          on conflict (id)
          do update set since = case when worker.lease_until > :now then worker.since else :now end,
                        seen_at = :now,
                        lease_until = greatest(worker.lease_until, :until)
              where worker.seen_at < :now
      """;
  private static final String SEEN_NEXT_DUE = "with seen as (\n" + SEEN + ")\n" + NEXT_DUE;

  private final Database database;

  public LeaseStore(Database database) {
    this.database = database;
  }

  /** Return the id of the worker called {@code name}: the same on every node. */
  public static UUID worker(String name) {
    return UUID.nameUUIDFromBytes(("carillon worker " + name).getBytes(StandardCharsets.UTF_8));
  }

  /**
   * A leased run, and when its lease ends.
   *
   * @param fenceHash the hash of what its worker must show; empty if no worker has it
   */
  public record Term(Run run, Instant until, Optional<String> fenceHash) {}

  /** A renewed lease of a run, and when it ends. */
  public record Renewed(Run run, Instant until) {}

  /** Lease runs to {@code worker} that {@code node} has claimed in the same transaction. */
  public void lease(Transaction tx, Owner node, UUID worker, List<Term> terms) {
    if (terms.isEmpty()) {
      return;
    }
    tx.later(
        "lease runs",
        """
        update carillon.run as run
           set node_id = :worker, node_epoch = :leased, expires_at = leased.expires_at,
               fence_hash = leased.fence_hash,
               wake_at = null  -- else each claim would read it
          from unnest((select :schedules), (select :slots), (select :ordinals), (select :expiries),
                      (select :fences))
            as leased (schedule_id, slot, ordinal, expires_at, fence_hash)
         where run.schedule_id = leased.schedule_id
           and run.slot = leased.slot
           and run.ordinal = leased.ordinal
           and run.state = 'running'
           and run.node_id = :node
           and run.node_epoch = :epoch
        """,
        bind ->
            RunKeys.bind(node.bind(bind), terms, term -> term.run.id())
                .set("worker", worker)
                .set("leased", Owner.LEASED)
                .array("expiries", "timestamptz", terms, Term::until)
                .array("fences", "text", terms, Term::fenceHash));
  }

  /** Extend the leases of locked runs. */
  public void renew(Transaction tx, List<Renewed> renewed) {
    if (renewed.isEmpty()) {
      return;
    }
    tx.update(
        "renew leases of runs",
        """
        update carillon.run as run
           set expires_at = renewed.expires_at
          from unnest((select :schedules), (select :slots), (select :ordinals), (select :expiries))
            as renewed (schedule_id, slot, ordinal, expires_at)
         where run.schedule_id = renewed.schedule_id
           and run.slot = renewed.slot
           and run.ordinal = renewed.ordinal
        """,
        bind ->
            RunKeys.bind(bind, renewed, one -> one.run.id())
                .array("expiries", "timestamptz", renewed, Renewed::until));
  }

  /** Return when the next run of each of {@code targets} is due, soonest first. */
  public Map<String, Instant> nextDue(Collection<String> targets) {
    return database.map(
        "find the next due run of each target",
        NEXT_DUE,
        bind -> bind.array("targets", "text", targets, target -> target),
        row -> row.text("target"),
        row -> row.instant("wake_at"));
  }

  /** Record that a worker called, and extend its lease. */
  public void seen(String name, Instant now, Duration lease) {
    database.update("record a worker", SEEN, bind -> bindSeen(bind, name, now, lease));
  }

  /** Do the same as {@link #seen} and {@link #nextDue} in one round trip. */
  public Map<String, Instant> seenNextDue(
      String name, Instant now, Duration lease, Collection<String> targets) {
    return database.map(
        "record a worker and find the next due run of each target",
        SEEN_NEXT_DUE,
        bind ->
            bindSeen(bind, name, now, lease).array("targets", "text", targets, target -> target),
        row -> row.text("target"),
        row -> row.instant("wake_at"));
  }

  private static Bind bindSeen(Bind bind, String name, Instant now, Duration lease) {
    return bind.set("id", worker(name))
        .set("name", name)
        .set("now", now)
        .set("until", now.plus(lease));
  }

  /** Return the workers with a lease or runs, oldest first. */
  public List<WorkerInfo> workers(Instant now) {
    return database.query(
        "list workers",
        """
        select worker.id, worker.name, worker.since, worker.seen_at, worker.lease_until,
               coalesce(leased.runs, 0) as runs
          from carillon.worker
          left join (select node_id, count(*) as runs
                       from carillon.run
                      where expires_at is not null
                        and node_epoch = :leased
                      group by node_id) as leased
            on leased.node_id = worker.id
         where worker.lease_until > :now
            or leased.runs is not null
         order by worker.since, worker.name
        """,
        bind -> bind.set("now", now).set("leased", Owner.LEASED),
        row ->
            new WorkerInfo(
                row.uuid("id"),
                row.text("name"),
                row.instant("since"),
                row.instant("seen_at"),
                row.instant("lease_until"),
                Math.toIntExact(row.number("runs"))));
  }

  /** Delete workers whose lease ended before {@code oldest}. */
  public void deleteWorkers(Instant oldest) {
    database.update(
        "delete workers",
        """
        delete from carillon.worker
         where lease_until < :oldest
        """,
        bind -> bind.set("oldest", oldest));
  }
}
