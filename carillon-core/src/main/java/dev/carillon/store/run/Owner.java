package dev.carillon.store.run;

import java.util.UUID;

/**
 * A node in one of its lives: what it claims belongs to both, and is lost with the epoch. Lives
 * count from one; what left its node belongs to none of them, and so to no node's lease.
 *
 * @param id the process
 * @param epoch which of its leases
 */
public record Owner(UUID id, long epoch) {
  public static final long ACCEPTED = 0;
  public static final long LEASED = -1;

  /** Return who has what {@code node} handed over to somebody who will report. */
  public static Owner accepted(UUID node) {
    return new Owner(node, ACCEPTED);
  }

  /** Return who has what {@code worker} fetched. */
  public static Owner leased(UUID worker) {
    return new Owner(worker, LEASED);
  }

  /** Tell whether only a report, a cancellation or the time ends it. */
  public boolean isAccepted() {
    return epoch == ACCEPTED;
  }

  /** Tell whether a worker has it. */
  public boolean isLeased() {
    return epoch == LEASED;
  }
}
