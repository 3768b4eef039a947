package dev.carillon.engine;

import dev.carillon.model.Run;
import dev.carillon.store.cluster.NodeStore;
import dev.carillon.store.jdbc.StoreException;
import java.time.Instant;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What a node does last: gives back what has not started, stops the rest, and leaves the cluster.
 */
public final class NodeDeparture {
  private static final Logger LOG = LoggerFactory.getLogger(NodeDeparture.class);

  private final EngineContext engine;
  private final EngineContext vital;
  private final NodeStore nodes;
  private final RecoveryStep recovery;
  private final Membership membership;
  private final Dispatcher dispatcher;

  /**
   * Leave on {@code vital}, a connection on which nothing else waits.
   *
   * @param nodes on the same connection
   * @param recovery on the same; asks no targets, since there is no time to wait for answers
   */
  NodeDeparture(
      EngineContext engine,
      EngineContext vital,
      NodeStore nodes,
      RecoveryStep recovery,
      Membership membership,
      Dispatcher dispatcher) {
    this.engine = engine;
    this.vital = vital;
    this.nodes = nodes;
    this.recovery = recovery;
    this.membership = membership;
    this.dispatcher = dispatcher;
  }

  /** Give back what has not started. */
  public void giveBack() {
    List<Run> unstarted = dispatcher.withdraw();
    if (!unstarted.isEmpty()) {
      engine
          .database()
          .inTransaction(
              tx ->
                  engine
                      .settles()
                      .giveBack(tx, membership.owner(), unstarted, engine.time().instant()));
    }
  }

  /** Ask everything that still runs to stop. */
  public void interrupt() {
    dispatcher.stopAll("the node was stopped");
  }

  /** Leave the cluster: what is still in hand is recovered by others, at once. */
  public void leave() {
    Instant now = engine.time().instant();
    try {
      vital
          .database()
          .inTransaction(
              tx -> {
                nodes.lockJoining(tx);
                nodes.stepDown(tx, membership.owner().id(), now);
                recovery.recover(tx, membership.owner(), now);
                if (nodes.anyAlive(tx, membership.owner().id(), now)) {
                  nodes.remove(tx, membership.owner().id());
                } else {
                  nodes.endLease(tx, membership.owner().id(), now);
                }
                return true;
              });
      membership.lost();
    } catch (StoreException e) {
      ThrowableText.log(
          LOG, "could not leave the cluster, so others recover its runs after the lease", e);
    }
  }
}
