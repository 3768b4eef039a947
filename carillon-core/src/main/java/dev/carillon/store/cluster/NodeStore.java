package dev.carillon.store.cluster;

import dev.carillon.model.NodeInfo;
import dev.carillon.model.NodeProfile;
import dev.carillon.store.jdbc.Database;
import dev.carillon.store.jdbc.Statements;
import dev.carillon.store.jdbc.Transaction;
import dev.carillon.store.run.Owner;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import java.util.stream.Collectors;

/** Nodes, their leases and their duties. */
public final class NodeStore {
  /* Any number that nothing else in the database uses for an advisory lock. */
  private static final long JOINING = 0x0CA2_1110_0001L;

  /* Targets stay known while a program is stopped, such as for a weekend. */
  private static final Duration TARGET_RETENTION = Duration.ofDays(7);
  private static final int MAX_FORMER = 10_000;

  private final Database database;

  public NodeStore(Database database) {
    this.database = database;
  }

  /** Return the time of the database, which all nodes use. */
  public Instant clock() {
    return database.one(
        "read the clock", "select clock_timestamp() as now", row -> row.instant("now"));
  }

  /** Lock out other nodes that join, until the transaction ends. */
  public void lockJoining(Transaction tx) {
    tx.query(
        "lock joining",
        "select pg_advisory_xact_lock(:key)",
        bind -> bind.set("key", JOINING),
        row -> true);
  }

  /** Tell whether a node other than {@code except} is alive. */
  public boolean anyAlive(Transaction tx, UUID except, Instant now) {
    return tx.one(
        "look for live nodes",
        """
        select exists (select
                         from carillon.node
                        where lease_until > :now
                          and id <> :except) as alive
        """,
        bind -> bind.set("now", now).set("except", except),
        row -> row.flag("alive"));
  }

  /** Return when a node was last seen; empty if there has never been one. */
  public Optional<Instant> lastSeen(Transaction tx) {
    return tx.one(
        "find when a node was last seen",
        "select max(seen_at) as seen_at from carillon.node",
        row -> row.optionalInstant("seen_at"));
  }

  /** End the lease of a node that leaves without runs; its row keeps when it was last seen. */
  public void endLease(Transaction tx, UUID node, Instant now) {
    tx.update(
        "end lease",
        """
        update carillon.node
           set seen_at = :now, lease_until = :now
         where id = :id
        """,
        bind -> bind.set("id", node).set("now", now));
  }

  /** Write the targets in the code of a node that joins, and delete those of long gone nodes. */
  public void offer(Transaction tx, UUID node, Set<String> labels, Instant now) {
    tx.update(
        "delete targets of gone nodes",
        """
        delete from carillon.node_target
         where node_id = :node
            or seen_at < :before
               and not exists (select
                                 from carillon.node
                                where node.id = node_target.node_id)
        """,
        bind -> bind.set("node", node).set("before", now.minus(TARGET_RETENTION)));
    if (labels.isEmpty()) {
      return;
    }
    tx.update(
        "write targets of a node",
        """
        insert into carillon.node_target (node_id, label, seen_at)
        select :node, label, :now
          from unnest((select :labels)) as offered (label)
        """,
        bind ->
            bind.set("node", node).set("now", now).array("labels", "text", labels, label -> label));
  }

  /** Return the labels of targets in the code of nodes, and whether such a node is alive. */
  public Map<String, Boolean> offered(Instant now) {
    return new TreeMap<>(
        database.map(
            "list targets of nodes",
            """
            select node_target.label, bool_or(coalesce(node.lease_until > :now, false)) as alive
              from carillon.node_target
              left join carillon.node
                on node.id = node_target.node_id
             group by node_target.label
            """,
            bind -> bind.set("now", now),
            row -> row.text("label"),
            row -> row.flag("alive")));
  }

  /** Insert a node with a new lease, and return the number of live nodes. */
  public int join(Transaction tx, Owner node, NodeProfile profile, Instant now, Duration lease) {
    return tx.one(
        "join",
        """
        insert into carillon.node
          (id, epoch, name, version, started_at, seen_at, lease_until, concurrency, time_zones, clock_ahead_ms)
        values (:id, :epoch, :name, :version, :now, :now, :until, :concurrency, :time_zones, :clock_ahead)
        returning (select 1 + count(*)::int from carillon.node where lease_until > :now) as alive
        """,
        bind ->
            bind.set("id", node.id())
                .set("epoch", node.epoch())
                .set("name", profile.name())
                .set("version", profile.version())
                .set("concurrency", profile.concurrency())
                .set("time_zones", profile.timeZones())
                .set("clock_ahead", profile.clockAhead().toMillis())
                .set("now", now)
                .set("until", now.plus(lease)),
        row -> row.integer("alive"));
  }

  /**
   * Renew a lease and return the number of live nodes; empty if the node was taken for dead. Its
   * time may be over: the clock may have been set, and until another node has taken over nothing is
   * lost.
   */
  public Optional<Integer> renew(Owner node, Instant now, Duration lease, Duration clockAhead) {
    return database.first(
        "renew lease",
        """
        update carillon.node
           set seen_at = :now, lease_until = :until, clock_ahead_ms = :clock_ahead
         where id = :id
           and epoch = :epoch
           and lease_until > seen_at  -- else it was taken for dead, or has left
        returning (select 1 + count(*)::int
                     from carillon.node as other
                    where other.lease_until > :now
                      and other.id <> :id) as alive
        """,
        bind ->
            bind.set("id", node.id())
                .set("epoch", node.epoch())
                .set("now", now)
                .set("until", now.plus(lease))
                .set("clock_ahead", clockAhead.toMillis()),
        row -> row.integer("alive"));
  }

  /**
   * The lease of a node.
   *
   * @param seenAt when it was written, by the clock as its node knew it
   * @param until when it ends, by the same
   */
  public record Lease(Owner owner, Instant seenAt, Instant until) {
    /** Return whether the node left and returned its runs, or they were recovered. */
    public boolean hasLeft() {
      return !until.isAfter(seenAt);
    }
  }

  /** Return the leases of all nodes but {@code except}, the first to end first. */
  public List<Lease> leases(UUID except) {
    return database.query(
        "list leases",
        """
        select id, epoch, seen_at, lease_until
          from carillon.node
         where id <> :except
         order by lease_until
        """,
        bind -> bind.set("except", except),
        row ->
            new Lease(
                new Owner(row.uuid("id"), row.number("epoch")),
                row.instant("seen_at"),
                row.instant("lease_until")));
  }

  /** Lock those of {@code leases} that were not renewed; their claims fail from now on. */
  public List<Lease> lockUnrenewed(Transaction tx, List<Lease> leases) {
    Map<UUID, Lease> wanted =
        leases.stream().collect(Collectors.toMap(lease -> lease.owner().id(), lease -> lease));
    return tx
        .query(
            "lock dead nodes",
            """
            select node.id, node.epoch, node.seen_at, node.lease_until
              from carillon.node  -- against claims of the node itself, which lock it for key share
             where node.id = any (:ids)
             order by node.lease_until
               for update skip locked
            """,
            bind -> bind.array("ids", "uuid", wanted.keySet(), id -> id),
            row ->
                new Lease(
                    new Owner(row.uuid("id"), row.number("epoch")),
                    row.instant("seen_at"),
                    row.instant("lease_until")))
        .stream()
        .filter(lease -> lease.equals(wanted.get(lease.owner().id())))
        .toList();
  }

  /** End the lease of a dead node whose runs were recovered, so that it cannot be renewed. */
  public void revoke(Transaction tx, UUID node) {
    tx.update(
        "revoke lease",
        "update carillon.node set lease_until = seen_at where id = :id",
        bind -> bind.set("id", node));
  }

  /** Wait for claims of a node that are under way, and refuse later ones. */
  public void lock(Transaction tx, UUID node) {
    tx.query(
        "lock a node",
        """
        select id
          from carillon.node  -- against claims of the node itself, which lock it for key share
         where id = :id
           for update
        """,
        bind -> bind.set("id", node),
        row -> true);
  }

  /** Delete a node without runs, and keep its name. */
  public void remove(Transaction tx, UUID node) {
    tx.update(
        "remove node",
        """
          with gone as (
                 delete from carillon.node
                  where id = :id
              returning id, name, seen_at)
        insert into carillon.former_node (id, name, seen_at)
        select id, name, seen_at
          from gone
            on conflict (id) do update
           set name = excluded.name, seen_at = excluded.seen_at
        """,
        bind -> bind.set("id", node));
  }

  /** Forget the names of nodes that were gone by {@code before}, and of all but the last few. */
  public void forget(Transaction tx, Instant before) {
    tx.update(
        "forget names of nodes",
        """
        delete from carillon.former_node
         where seen_at < :before
            or seen_at < (select seen_at
                            from carillon.former_node
                           order by seen_at desc
                          offset :kept
                           limit 1)
        """,
        bind -> bind.set("before", before).set("kept", MAX_FORMER));
  }

  /** Return the nodes, oldest first. */
  public List<NodeInfo> list() {
    return database.query(
        "list nodes",
        """
        select node.id, node.epoch, node.name, node.version, node.started_at, node.seen_at, node.lease_until,
               node.concurrency, node.time_zones, node.clock_ahead_ms,
               (select min(leader.since)
                  from carillon.leader
                 where leader.node_id = node.id
                   and leader.lease_until > node.seen_at) as leader_since
          from carillon.node
         order by node.started_at, node.id
        """,
        row ->
            new NodeInfo(
                row.uuid("id"),
                row.number("epoch"),
                row.text("name"),
                row.text("version"),
                row.instant("started_at"),
                row.instant("seen_at"),
                row.instant("lease_until"),
                row.optionalInstant("leader_since"),
                row.optionalInteger("concurrency"),
                row.optionalText("time_zones"),
                row.optionalNumber("clock_ahead_ms").map(Duration::ofMillis)));
  }

  /** Return the names of those of {@code ids} that are known as nodes or workers. */
  public static Map<UUID, String> names(Statements statements, Collection<UUID> ids) {
    return statements.map(
        "find names of nodes",
        """
        select id, name
          from carillon.node
         where id = any(:ids)
         union all
        select id, name
          from carillon.worker
         where id = any(:ids)
         union all
        select id, name
          from carillon.former_node
         where id = any(:ids)
           and not exists (select
                             from carillon.node
                            where node.id = former_node.id)
        """,
        bind -> bind.array("ids", "uuid", ids, id -> id),
        row -> row.uuid("id"),
        row -> row.text("name"));
  }

  /** Take or renew a duty; false if another node has it. */
  public boolean lead(String duty, Owner node, Instant now, Duration lease) {
    return database.update(
            "lead",
            """
            insert into carillon.leader as leader (duty, node_id, epoch, since, lease_until)
            values (:duty, :node, 1, :now, :until)
                on conflict (duty)
                do update set node_id = excluded.node_id,
                              epoch = leader.epoch + (leader.node_id <> excluded.node_id)::int,
                              since = case when leader.node_id = excluded.node_id then leader.since else :now end,
                              lease_until = excluded.lease_until
                    where leader.node_id = excluded.node_id
                       or leader.lease_until <= :now
            """,
            bind ->
                bind.set("duty", duty)
                    .set("node", node.id())
                    .set("now", now)
                    .set("until", now.plus(lease)))
        == 1;
  }

  /** Give up all duties of a node, so that another node can take them at once. */
  public void stepDown(Transaction tx, UUID node, Instant now) {
    tx.update(
        "step down",
        """
        update carillon.leader
           set lease_until = :now
         where node_id = :node
           and lease_until > :now
        """,
        bind -> bind.set("node", node).set("now", now));
  }
}
