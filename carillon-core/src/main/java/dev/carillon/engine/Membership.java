package dev.carillon.engine;

import dev.carillon.store.run.Owner;
import java.time.Instant;
import java.util.UUID;

/** Which node this is, and until when it may believe that its claims are its own. */
public final class Membership {
  private final UUID id;
  private volatile long epoch;
  private volatile Instant leaseUntil = Instant.MIN;
  private volatile int nodes = 1;

  Membership(UUID id) {
    this.id = id;
  }

  public Owner owner() {
    return new Owner(id, epoch);
  }

  Owner nextOwner() {
    return new Owner(id, epoch + 1);
  }

  /** Hold a lease as {@code owner}, one of so many nodes. */
  void joined(Owner owner, Instant leaseUntil, int nodes) {
    this.epoch = owner.epoch();
    renewed(leaseUntil, nodes);
  }

  void renewed(Instant leaseUntil, int nodes) {
    this.nodes = nodes;
    this.leaseUntil = leaseUntil;
  }

  /** Return how many nodes were alive when the lease was last renewed, this one included. */
  int nodes() {
    return nodes;
  }

  void lost() {
    leaseUntil = Instant.MIN;
  }

  public boolean holds(Instant now) {
    return now.isBefore(leaseUntil);
  }
}
