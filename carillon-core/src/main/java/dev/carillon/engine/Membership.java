package dev.carillon.engine;

import dev.carillon.store.run.Owner;
import java.time.Duration;
import java.util.UUID;
import java.util.function.LongSupplier;

/**
 * Which node this is, and until when it may believe that its claims are its own: for a lease from
 * the moment it last asked for one, measured by a clock that nobody sets.
 */
public final class Membership {
  private static final Term NONE = new Term(0, Duration.ZERO);

  private final UUID id;
  private final LongSupplier nanos;
  private volatile long epoch;
  private volatile Term term = NONE;
  private volatile int nodes = 1;

  /**
   * A lease.
   *
   * @param askedAt when it was asked for, in nanoseconds
   * @param lease how long it lasts from then on
   */
  record Term(long askedAt, Duration lease) {}

  Membership(UUID id, LongSupplier nanos) {
    this.id = id;
    this.nanos = nanos;
  }

  public Owner owner() {
    return new Owner(id, epoch);
  }

  Owner nextOwner() {
    return new Owner(id, epoch + 1);
  }

  /** Hold a lease as {@code owner}, one of so many nodes. */
  void joined(Owner owner, Term term, int nodes) {
    this.epoch = owner.epoch();
    renewed(term, nodes);
  }

  void renewed(Term term, int nodes) {
    this.nodes = nodes;
    this.term = term;
  }

  /** Return how many nodes were alive when the lease was last renewed, this one included. */
  int nodes() {
    return nodes;
  }

  void lost() {
    term = NONE;
  }

  public boolean holds() {
    Term held = term;
    return nanos.getAsLong() - held.askedAt < held.lease.toNanos();
  }
}
