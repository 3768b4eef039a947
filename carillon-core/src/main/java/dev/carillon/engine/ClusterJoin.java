package dev.carillon.engine;

import dev.carillon.event.Event;
import dev.carillon.store.cluster.NodeStore;
import dev.carillon.store.jdbc.Transaction;
import dev.carillon.store.plan.MissedRunStore;
import dev.carillon.store.plan.MissedRunStore.Judged;
import dev.carillon.store.plan.MissedRunStore.Position;
import dev.carillon.store.run.Owner;
import java.time.Instant;
import java.util.Map;

/**
 * Brings this node into the cluster, after recovering what its earlier life held.
 *
 * <p>Nodes join one after the other, so that the first after an outage lets catch-up judge what was
 * planned for it before any of them claims: in many short transactions, and it joins in the one
 * that finds nothing left. Until then the rows of dead nodes stay, which tell since when there was
 * none.
 */
final class ClusterJoin {
  private final EngineContext engine;
  private final NodeStore nodes;
  private final MissedRunStore outages;
  private final RecoveryStep recovery;
  private final Membership membership;
  private final NodeTargets targets;
  private final Runnable joined;

  /** Call {@code joined} when this node may plan and claim. */
  ClusterJoin(
      EngineContext engine,
      Stores stores,
      RecoveryStep recovery,
      Membership membership,
      NodeTargets targets,
      Runnable joined) {
    this.engine = engine;
    this.nodes = stores.nodes();
    this.outages = stores.outages();
    this.recovery = recovery;
    this.membership = membership;
    this.targets = targets;
    this.joined = joined;
  }

  /** Join as the next life of this node. */
  void join(Instant now) {
    Joining joining = engine.database().inTransaction(tx -> recoverAndJoin(tx, now));
    recovery.tell(joining.lost, now);
    int kept = joining.judged.kept();
    int skipped = joining.judged.skipped();
    while (joining.judged.next().isPresent()) {
      Position position = joining.judged.next().get();
      Instant later = engine.time().instant();
      joining = engine.database().inTransaction(tx -> goOnJoining(tx, position, later));
      recovery.tell(joining.lost, later);
      kept += joining.judged.kept();
      skipped += joining.judged.skipped();
    }
    Owner owner = membership.nextLife();
    membership.joined(owner, joining.at.plus(engine.settings().lease()), joining.nodes);
    engine.publish(new Event.NodeJoined(joining.at, owner.id(), owner.epoch()));
    if (kept + skipped > 0) {
      engine.publish(new Event.Outage(joining.at, kept + skipped, skipped));
    }
    joined.run();
  }

  private record Joining(Instant at, Map<Owner, Integer> lost, Judged judged, int nodes) {}

  /* What ends here may let others wake, which are then judged, too. */
  private Joining recoverAndJoin(Transaction tx, Instant now) {
    nodes.lockJoining(tx);
    boolean alone = isAlone(tx, now);
    Owner before = membership.owner();
    if (before.epoch() > 0) { // else it holds nothing, and looking is a scan
      recovery.recover(tx, before, now);
    }
    Map<Owner, Integer> lost = alone ? recovery.settleDead(tx, now) : Map.of();
    Judged judged =
        alone
            ? judge(tx, Position.start(nodes.lastSeen(tx).orElse(Instant.EPOCH), now), now)
            : Judged.NOTHING;
    if (judged.next().isPresent()) {
      return new Joining(now, lost, judged, 0);
    }
    lost.keySet().forEach(dead -> nodes.remove(tx, dead.id()));
    return new Joining(now, lost, judged, enter(tx, now));
  }

  private Joining goOnJoining(Transaction tx, Position position, Instant now) {
    nodes.lockJoining(tx);
    boolean alone = isAlone(tx, now);
    Judged judged = alone ? judge(tx, position, now) : Judged.NOTHING;
    if (judged.next().isPresent()) {
      return new Joining(now, Map.of(), judged, 0);
    }
    Map<Owner, Integer> lost = alone ? recovery.recoverDead(tx, now) : Map.of();
    return new Joining(now, lost, judged, enter(tx, now));
  }

  private boolean isAlone(Transaction tx, Instant now) {
    return !nodes.anyAlive(tx, membership.owner().id(), now);
  }

  private Judged judge(Transaction tx, Position position, Instant now) {
    return outages.judge(tx, position, engine.settings().lookahead(), now);
  }

  private int enter(Transaction tx, Instant now) {
    nodes.remove(tx, membership.owner().id());
    nodes.offer(tx, membership.owner().id(), targets.inCode(), now);
    return nodes.join(
        tx,
        membership.nextLife(),
        engine.settings().name(),
        engine.settings().version(),
        now,
        engine.settings().lease());
  }
}
