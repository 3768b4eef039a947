package dev.carillon.engine;

import dev.carillon.engine.Membership.Term;
import dev.carillon.event.EngineLoop;
import dev.carillon.event.Event;
import dev.carillon.model.NodeProfile;
import dev.carillon.store.cluster.NodeStore;
import dev.carillon.store.cluster.NodeStore.Lease;
import dev.carillon.store.jdbc.Database;
import dev.carillon.store.jdbc.Transaction;
import dev.carillon.store.plan.MissedRunStore.Judged;
import dev.carillon.store.plan.MissedRunStore.Position;
import dev.carillon.store.run.HistoryStore;
import dev.carillon.store.run.Owner;
import dev.carillon.time.Zones;
import java.time.Instant;
import java.util.List;
import java.util.Map;

/**
 * Brings this node into the cluster, after recovering what it held in its last epoch.
 *
 * <p>Nodes join one after the other, so that the first after an outage lets catch-up judge what was
 * planned for it before any of them claims: in many short transactions, and it joins in the one
 * that finds nothing left. Until then the rows of dead nodes stay, which say since when no node was
 * alive.
 */
final class ClusterJoin {
  private final EngineContext engine;
  private final Database database;
  private final NodeStore nodes;
  private final RecoveryStep recovery;
  private final Membership membership;

  ClusterJoin(EngineContext engine, RecoveryStep recovery) {
    this.engine = engine;
    this.database = engine.database();
    this.nodes = engine.stores().nodes();
    this.recovery = recovery;
    this.membership = engine.membership();
  }

  /** Join with the next epoch; return when the lease was asked for, in nanoseconds. */
  long join() {
    List<Lease> dead = recovery.findDead();
    long asked = engine.time().nanos();
    Instant now = engine.now();
    Joining joining = database.inTransaction(tx -> recoverAndJoin(tx, dead, now));
    recovery.publishLost(joining.lost, now);
    int kept = joining.judged.kept();
    int skipped = joining.judged.skipped();
    while (joining.judged.next().isPresent()) {
      Position position = joining.judged.next().get();
      List<Lease> still = recovery.findDead();
      asked = engine.time().nanos();
      Instant later = engine.now();
      joining = database.inTransaction(tx -> goOnJoining(tx, position, still, later));
      recovery.publishLost(joining.lost, later);
      kept += joining.judged.kept();
      skipped += joining.judged.skipped();
    }
    Owner owner = membership.nextOwner();
    membership.joined(owner, new Term(asked, engine.settings().lease()), joining.nodes);
    engine.publish(new Event.NodeJoined(joining.at, owner.id(), owner.epoch()));
    if (kept + skipped > 0) {
      engine.publish(new Event.Outage(joining.at, kept + skipped, skipped));
    }
    engine.wakeups().wake(EngineLoop.PLANNING);
    engine.wakeups().wake(EngineLoop.CLAIMING);
    return asked;
  }

  private record Joining(Instant at, Map<Owner, Integer> lost, Judged judged, int nodes) {}

  /* What ends here may let others wake, which are then judged, too. */
  private Joining recoverAndJoin(Transaction tx, List<Lease> dead, Instant now) {
    nodes.lockJoining(tx);
    boolean alone = isAlone(tx, now);
    Owner before = membership.owner();
    if (before.epoch() > 0) { // else it holds nothing, and looking is a scan
      recovery.recover(tx, before, now);
    }
    Map<Owner, Integer> lost = alone ? recovery.settleDead(tx, dead, now) : Map.of();
    Judged judged =
        alone
            ? judge(tx, Position.start(nodes.lastSeen(tx).orElse(Instant.EPOCH), now), now)
            : Judged.NOTHING;
    if (judged.next().isPresent()) {
      return new Joining(now, lost, judged, 0);
    }
    lost.keySet().forEach(node -> nodes.remove(tx, node.id()));
    return new Joining(now, lost, judged, enter(tx, now));
  }

  private Joining goOnJoining(Transaction tx, Position position, List<Lease> dead, Instant now) {
    nodes.lockJoining(tx);
    boolean alone = isAlone(tx, now);
    Judged judged = alone ? judge(tx, position, now) : Judged.NOTHING;
    if (judged.next().isPresent()) {
      return new Joining(now, Map.of(), judged, 0);
    }
    Map<Owner, Integer> lost = alone ? recovery.recoverDead(tx, dead, now) : Map.of();
    return new Joining(now, lost, judged, enter(tx, now));
  }

  private boolean isAlone(Transaction tx, Instant now) {
    return !nodes.anyAlive(tx, membership.owner().id(), now);
  }

  private Judged judge(Transaction tx, Position position, Instant now) {
    return engine.stores().missedRuns().judge(tx, position, engine.settings().lookahead(), now);
  }

  private int enter(Transaction tx, Instant now) {
    nodes.remove(tx, membership.owner().id());
    nodes.forget(tx, HistoryStore.kept(now.minus(engine.settings().retention())));
    nodes.offer(tx, membership.owner().id(), engine.targets().inCode(), now);
    return nodes.join(
        tx,
        membership.nextOwner(),
        new NodeProfile(
            engine.settings().name(),
            engine.settings().version(),
            engine.settings().concurrency(),
            Zones.version(),
            engine.time().machineAhead()),
        now,
        engine.settings().lease());
  }
}
