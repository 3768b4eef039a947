package dev.carillon.store.run;

import dev.carillon.store.jdbc.Bind;
import java.util.UUID;

/**
 * The owner of a running run: a node with the epoch of its lease, from one on, or a target or
 * worker outside the nodes' leases.
 */
public record Owner(UUID id, long epoch) {
  public static final long ACCEPTED = 0;
  public static final long LEASED = -1;

  /** Return the owner of runs that {@code node} handed over to a target that will report. */
  public static Owner accepted(UUID node) {
    return new Owner(node, ACCEPTED);
  }

  /** Return the owner of runs that {@code worker} pulled. */
  public static Owner leased(UUID worker) {
    return new Owner(worker, LEASED);
  }

  /** Give {@code node} and {@code epoch} the values of this owner. */
  public Bind bind(Bind bind) {
    return bind.set("node", id).set("epoch", epoch);
  }

  /** Tell whether a target accepted the run and will report. */
  public boolean isAccepted() {
    return epoch == ACCEPTED;
  }

  /** Tell whether a worker has leased the run. */
  public boolean isLeased() {
    return epoch == LEASED;
  }
}
