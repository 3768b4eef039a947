package dev.carillon.engine;

import dev.carillon.engine.remote.LostRunProbe;
import dev.carillon.event.Event;
import dev.carillon.model.Failure;
import dev.carillon.model.Run;
import dev.carillon.model.RunId;
import dev.carillon.model.RunState;
import dev.carillon.plan.Verdict;
import dev.carillon.store.claim.ClaimStore;
import dev.carillon.store.claim.LeaseStore;
import dev.carillon.store.cluster.NodeStore;
import dev.carillon.store.cluster.NodeStore.Dead;
import dev.carillon.store.jdbc.Transaction;
import dev.carillon.store.run.Owner;
import dev.carillon.store.run.SettledAttempt;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Gives the runs of dead nodes to their recovery. Every node does this; one is enough. */
final class RecoveryStep implements Step {
  private static final int NODES = 100;
  private static final Failure LOST =
      Failure.of("node_lost", "the node that ran it lost its lease");

  private final EngineContext engine;
  private final NodeStore nodes;
  private final ClaimStore claims;
  private final Membership membership;
  private final LeaseStore leases;
  private final Optional<LostRunProbe> probing;
  private final Runnable recovered;

  /**
   * Call {@code recovered} when there may be runs to claim.
   *
   * @param probing asks targets what became of runs; empty if nobody is to be asked
   */
  RecoveryStep(
      EngineContext engine,
      Stores stores,
      Membership membership,
      Optional<LostRunProbe> probing,
      Runnable recovered) {
    this.engine = engine;
    this.nodes = stores.nodes();
    this.claims = stores.claims();
    this.leases = stores.leases();
    this.probing = probing;
    this.membership = membership;
    this.recovered = recovered;
  }

  @Override
  public Duration run(Instant now) {
    if (membership.holds(now)
        && nodes.anyDead(now)
        && !tell(engine.database().inTransaction(tx -> recoverDead(tx, now)), now).isEmpty()) {
      recovered.run();
    }
    probing.ifPresent(LostRunProbe::begin);
    return engine.settings().heartbeat().dividedBy(2);
  }

  /** Settle what dead nodes held and forget them; return how many runs of each. */
  Map<Owner, Integer> recoverDead(Transaction tx, Instant now) {
    Map<Owner, Integer> counts = settleDead(tx, now);
    counts.keySet().forEach(dead -> nodes.remove(tx, dead.id()));
    return counts;
  }

  /** Settle what dead nodes held; return how many runs of each. */
  Map<Owner, Integer> settleDead(Transaction tx, Instant now) {
    var counts = new LinkedHashMap<Owner, Integer>();
    for (Dead dead : nodes.lockDead(tx, now, NODES)) { // looking for what a node holds is a scan
      counts.put(dead.owner(), dead.left() ? 0 : recover(tx, dead.owner(), now));
    }
    return counts;
  }

  /** Tell of nodes that were lost with runs in hand; one that left in peace had none. */
  Map<Owner, Integer> tell(Map<Owner, Integer> lost, Instant now) {
    lost.forEach(
        (node, runs) -> {
          if (runs > 0) {
            engine.publish(new Event.NodeLost(now, node.id(), node.epoch(), runs));
          }
        });
    return lost;
  }

  /** Settle what {@code dead} held; return how many runs. */
  int recover(Transaction tx, Owner dead, Instant now) {
    nodes.lock(tx, dead.id());
    List<Run> held = claims.heldBy(tx, dead);
    List<Run> asked = ask(tx, held, dead, now);
    List<SettledAttempt> lost =
        held.stream().filter(run -> !asked.contains(run)).map(run -> lost(run, now)).toList();
    Map<RunId, RunState> changed = engine.settles().settle(tx, dead, lost, now);
    tx.publish(
        lost.stream()
            .filter(one -> one.verdict().state() == changed.get(one.run().id()))
            .map(RunEvents::of)
            .toList());
    return held.size();
  }

  private List<Run> ask(Transaction tx, List<Run> held, Owner dead, Instant now) {
    List<Run> asked = probing.map(one -> one.choose(held, now)).orElse(List.of());
    Instant until = now.plus(LostRunProbe.PROBE_TIMEOUT);
    leases.lease(
        tx, dead, dead.id(), asked.stream().map(run -> new LeaseStore.Term(run, until)).toList());
    probing.ifPresent(one -> one.add(asked, dead, until));
    return asked;
  }

  private static SettledAttempt lost(Run run, Instant now) {
    return new SettledAttempt(run, Verdict.lost(run, LOST, now), run.startedAt().orElse(now), now);
  }
}
