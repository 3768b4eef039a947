package dev.carillon.engine;

import dev.carillon.store.Holder;
import java.time.Instant;
import java.util.UUID;

/** Which node this is, and until when it may believe that its claims are its own. */
final class Membership {
  private final UUID id;
  private volatile long epoch;
  private volatile Instant leaseUntil = Instant.MIN;

  Membership(UUID id) {
    this.id = id;
  }

  Holder holder() {
    return new Holder(id, epoch);
  }

  Holder nextLife() {
    return new Holder(id, epoch + 1);
  }

  void joined(Holder holder, Instant leaseUntil) {
    this.epoch = holder.epoch();
    this.leaseUntil = leaseUntil;
  }

  void renewed(Instant leaseUntil) {
    this.leaseUntil = leaseUntil;
  }

  void lost() {
    leaseUntil = Instant.MIN;
  }

  boolean holds(Instant now) {
    return now.isBefore(leaseUntil);
  }
}
