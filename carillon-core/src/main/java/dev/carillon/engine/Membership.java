package dev.carillon.engine;

import dev.carillon.store.Holder;
import java.time.Instant;
import java.util.UUID;

/** Which node this is, and until when it may believe that its claims are its own. */
final class Membership {
  private final UUID id;
  private volatile long epoch;
  private volatile Instant leaseUntil = Instant.MIN;
  private volatile int nodes = 1;

  Membership(UUID id) {
    this.id = id;
  }

  Holder holder() {
    return new Holder(id, epoch);
  }

  Holder nextLife() {
    return new Holder(id, epoch + 1);
  }

  /** Take note of a lease as {@code holder}, one of so many nodes. */
  void joined(Holder holder, Instant leaseUntil, int nodes) {
    this.epoch = holder.epoch();
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

  boolean holds(Instant now) {
    return now.isBefore(leaseUntil);
  }
}
