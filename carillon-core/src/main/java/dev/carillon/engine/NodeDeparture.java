package dev.carillon.engine;

import dev.carillon.model.Run;
import dev.carillon.store.cluster.NodeStore;
import dev.carillon.store.jdbc.StoreException;
import dev.carillon.store.jdbc.Transaction;
import dev.carillon.store.run.Owner;
import dev.carillon.store.run.SettleStore;
import java.time.Instant;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Stops a node: gives back what has not started, stops the rest, and leaves the cluster. */
public final class NodeDeparture {
  private static final Logger LOG = LoggerFactory.getLogger(NodeDeparture.class);

  private final EngineContext engine;
  private final EngineContext vital;
  private final RecoveryStep recovery;
  private final Dispatcher dispatcher;

  /**
   * Leave on {@code vital}, connections on which nothing else waits.
   *
   * @param recovery on the same; asks no targets, since there is no time to wait for answers
   */
  NodeDeparture(
      EngineContext engine, EngineContext vital, RecoveryStep recovery, Dispatcher dispatcher) {
    this.engine = engine;
    this.vital = vital;
    this.recovery = recovery;
    this.dispatcher = dispatcher;
  }

  /** Give back what has not started. */
  public void giveBack() {
    List<Run> unstarted = dispatcher.withdraw();
    if (!unstarted.isEmpty()) {
      SettleStore settles = engine.stores().settles();
      Owner owner = engine.membership().owner();
      engine.database().inTransaction(tx -> settles.giveBack(tx, owner, unstarted, engine.now()));
    }
  }

  /** Ask everything that still runs to stop. */
  public void interrupt() {
    dispatcher.stopAll("the node was stopped");
  }

  /** Leave the cluster: what still runs is recovered by others, at once. */
  public void leave() {
    try {
      vital.database().inTransaction(tx -> leave(tx, engine.now()));
      engine.membership().lost();
    } catch (StoreException e) {
      ThrowableText.log(
          LOG, "could not leave the cluster, so others recover its runs after the lease", e);
    }
  }

  private boolean leave(Transaction tx, Instant now) {
    NodeStore nodes = vital.stores().nodes();
    Owner owner = vital.membership().owner();
    nodes.lockJoining(tx);
    nodes.stepDown(tx, owner.id(), now);
    recovery.recover(tx, owner, now);
    if (nodes.anyAlive(tx, owner.id(), now)) {
      nodes.remove(tx, owner.id());
    } else {
      nodes.endLease(tx, owner.id(), now);
    }
    return true;
  }
}
