package dev.carillon.engine;

import dev.carillon.model.Run;
import dev.carillon.store.NodeStore;
import dev.carillon.store.StoreException;
import java.time.Instant;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What a node does last: gives back what has not started, stops the rest, and leaves the cluster.
 */
public final class Departure {
  private static final Logger LOG = LoggerFactory.getLogger(Departure.class);

  private final Parts parts;
  private final Parts vital;
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
  Departure(
      Parts parts,
      Parts vital,
      NodeStore nodes,
      RecoveryStep recovery,
      Membership membership,
      Dispatcher dispatcher) {
    this.parts = parts;
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
      parts
          .database()
          .inTransaction(
              tx ->
                  parts
                      .settles()
                      .giveBack(tx, membership.holder(), unstarted, parts.time().instant()));
    }
  }

  /** Ask everything that still runs to stop. */
  public void interrupt() {
    dispatcher.stopAll("the node was stopped");
  }

  /** Leave the cluster: what is still in hand is recovered by others, at once. */
  public void leave() {
    Instant now = parts.time().instant();
    try {
      vital
          .database()
          .inTransaction(
              tx -> {
                nodes.lockJoining(tx);
                nodes.stepDown(tx, membership.holder().id(), now);
                recovery.recover(tx, membership.holder(), now);
                if (nodes.anyAlive(tx, membership.holder().id(), now)) {
                  nodes.remove(tx, membership.holder().id());
                } else {
                  nodes.endLease(tx, membership.holder().id(), now);
                }
                return true;
              });
      membership.lost();
    } catch (StoreException e) {
      Thrown.log(LOG, "could not leave the cluster, so others recover its runs after the lease", e);
    }
  }
}
