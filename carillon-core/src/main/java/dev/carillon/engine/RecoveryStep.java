package dev.carillon.engine;

import dev.carillon.engine.remote.LostRunProbe;
import dev.carillon.event.EngineLoop;
import dev.carillon.event.Event;
import dev.carillon.model.Run;
import dev.carillon.plan.Verdict;
import dev.carillon.store.claim.LeaseStore;
import dev.carillon.store.cluster.NodeStore;
import dev.carillon.store.cluster.NodeStore.Lease;
import dev.carillon.store.jdbc.Transaction;
import dev.carillon.store.run.AttemptEnd;
import dev.carillon.store.run.Owner;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Gives the runs of dead nodes to their recovery. Every node does this; one is enough. */
final class RecoveryStep implements Step {
  private static final int NODES = 100;

  private final EngineContext engine;
  private final Stores stores;
  private final NodeStore nodes;
  private final DeadNodes deadNodes;
  private final Optional<LostRunProbe> probe;

  /** Ask targets through {@code probe} what became of runs; ask none if it is empty. */
  RecoveryStep(EngineContext engine, DeadNodes deadNodes, Optional<LostRunProbe> probe) {
    this.engine = engine;
    this.stores = engine.stores();
    this.nodes = stores.nodes();
    this.deadNodes = deadNodes;
    this.probe = probe;
  }

  @Override
  public Duration run(Instant now) {
    List<Lease> dead = engine.membership().holds() ? findDead() : List.of();
    if (!dead.isEmpty()) {
      Instant found = engine.now(); // finding them may have shown that the clock was set
      Map<Owner, Integer> lost =
          engine.database().inTransaction(tx -> recoverDead(tx, dead, found));
      publishLost(lost, found);
      if (!lost.isEmpty()) {
        engine.wakeups().wake(EngineLoop.CLAIMING);
      }
    }
    probe.ifPresent(LostRunProbe::begin);
    return engine.settings().heartbeat().dividedBy(2);
  }

  /** Return leases that are over, as many as are recovered together. */
  List<Lease> findDead() {
    return deadNodes.find().stream().limit(NODES).toList();
  }

  /** Settle what dead nodes held and forget them; return how many runs of each. */
  Map<Owner, Integer> recoverDead(Transaction tx, List<Lease> found, Instant now) {
    Map<Owner, Integer> counts = settleDead(tx, found, now);
    counts.keySet().forEach(dead -> nodes.remove(tx, dead.id()));
    return counts;
  }

  /** Settle what dead nodes held; return how many runs of each. */
  Map<Owner, Integer> settleDead(Transaction tx, List<Lease> found, Instant now) {
    var counts = new LinkedHashMap<Owner, Integer>();
    for (Lease dead : nodes.lockUnrenewed(tx, found)) { // looking for what a node holds is a scan
      counts.put(dead.owner(), dead.hasLeft() ? 0 : recover(tx, dead.owner(), now));
      nodes.revoke(tx, dead.owner().id());
    }
    return counts;
  }

  /** Publish which nodes were lost with runs; one that left the cluster had none. */
  void publishLost(Map<Owner, Integer> lost, Instant now) {
    lost.forEach(
        (node, runs) -> {
          if (runs > 0) {
            engine.publish(new Event.NodeLost(now, node.id(), node.epoch(), runs));
          }
        });
  }

  /** Settle what {@code dead} held; return how many runs. */
  int recover(Transaction tx, Owner dead, Instant now) {
    nodes.lock(tx, dead.id());
    List<Run> held = stores.claims().claimedBy(tx, dead);
    List<Run> asked = ask(tx, held, dead, now);
    List<AttemptEnd> lost =
        held.stream().filter(run -> !asked.contains(run)).map(run -> lost(run, now)).toList();
    tx.publish(RunEvents.of(lost, stores.settles().settle(tx, dead, lost, now)));
    return held.size();
  }

  private List<Run> ask(Transaction tx, List<Run> held, Owner dead, Instant now) {
    List<Run> asked = probe.map(one -> one.choose(held, now)).orElse(List.of());
    Instant until = now.plus(LostRunProbe.PROBE_TIMEOUT);
    stores
        .leases()
        .lease(
            tx,
            dead,
            dead.id(),
            asked.stream().map(run -> new LeaseStore.Term(run, until, Optional.empty())).toList());
    probe.ifPresent(one -> one.add(asked, dead, until));
    return asked;
  }

  private static AttemptEnd lost(Run run, Instant now) {
    return new AttemptEnd(
        run, Verdict.lost(run, LostRunProbe.LOST, now), run.startedAt().orElse(now), now);
  }
}
