package dev.carillon.engine;

import dev.carillon.event.Event;
import dev.carillon.store.Holder;
import dev.carillon.store.NodeStore;
import dev.carillon.store.OutageStore;
import dev.carillon.store.OutageStore.Judged;
import dev.carillon.store.OutageStore.Position;
import dev.carillon.store.Transaction;
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
  private final Parts parts;
  private final NodeStore nodes;
  private final OutageStore outages;
  private final RecoveryStep recovery;
  private final Membership membership;
  private final Targets targets;
  private final Runnable joined;

  /** Call {@code joined} when this node may plan and claim. */
  ClusterJoin(
      Parts parts,
      Stores stores,
      RecoveryStep recovery,
      Membership membership,
      Targets targets,
      Runnable joined) {
    this.parts = parts;
    this.nodes = stores.nodes();
    this.outages = stores.outages();
    this.recovery = recovery;
    this.membership = membership;
    this.targets = targets;
    this.joined = joined;
  }

  /** Join as the next life of this node. */
  void join(Instant now) {
    Joining joining = parts.database().inTransaction(tx -> recoverAndJoin(tx, now));
    recovery.tell(joining.lost, now);
    int kept = joining.judged.kept();
    int skipped = joining.judged.skipped();
    while (joining.judged.next().isPresent()) {
      Position position = joining.judged.next().get();
      Instant later = parts.time().instant();
      joining = parts.database().inTransaction(tx -> goOnJoining(tx, position, later));
      recovery.tell(joining.lost, later);
      kept += joining.judged.kept();
      skipped += joining.judged.skipped();
    }
    Holder holder = membership.nextLife();
    membership.joined(holder, joining.at.plus(parts.settings().lease()), joining.nodes);
    parts.publish(new Event.NodeJoined(joining.at, holder.id(), holder.epoch()));
    if (kept + skipped > 0) {
      parts.publish(new Event.Outage(joining.at, kept + skipped, skipped));
    }
    joined.run();
  }

  private record Joining(Instant at, Map<Holder, Integer> lost, Judged judged, int nodes) {}

  /* What ends here may let others wake, which are then judged, too. */
  private Joining recoverAndJoin(Transaction tx, Instant now) {
    nodes.lockJoining(tx);
    boolean alone = isAlone(tx, now);
    Holder before = membership.holder();
    if (before.epoch() > 0) { // else it holds nothing, and looking is a scan
      recovery.recover(tx, before, now);
    }
    Map<Holder, Integer> lost = alone ? recovery.settleDead(tx, now) : Map.of();
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
    Map<Holder, Integer> lost = alone ? recovery.recoverDead(tx, now) : Map.of();
    return new Joining(now, lost, judged, enter(tx, now));
  }

  private boolean isAlone(Transaction tx, Instant now) {
    return !nodes.anyAlive(tx, membership.holder().id(), now);
  }

  private Judged judge(Transaction tx, Position position, Instant now) {
    return outages.judge(tx, position, parts.settings().lookahead(), now);
  }

  private int enter(Transaction tx, Instant now) {
    nodes.remove(tx, membership.holder().id());
    nodes.offer(tx, membership.holder().id(), targets.inCode(), now);
    return nodes.join(
        tx,
        membership.nextLife(),
        parts.settings().name(),
        parts.settings().version(),
        now,
        parts.settings().lease());
  }
}
