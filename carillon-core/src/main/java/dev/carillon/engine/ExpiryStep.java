package dev.carillon.engine;

import dev.carillon.plan.Expiry;
import dev.carillon.plan.Verdict;
import dev.carillon.store.Away;
import dev.carillon.store.HandoverStore;
import dev.carillon.store.Transaction;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** Gives up runs elsewhere that nobody reported on or renewed in time. Every node does this. */
final class ExpiryStep implements Step {
  private static final int BATCH = 500;

  private final Parts parts;
  private final Handovers handovers;
  private final HandoverStore store;
  private final Membership membership;
  private final Runnable freed;

  /** Call {@code freed} when runs are over and others may start. */
  ExpiryStep(
      Parts parts,
      Handovers handovers,
      HandoverStore store,
      Membership membership,
      Runnable freed) {
    this.parts = parts;
    this.handovers = handovers;
    this.store = store;
    this.membership = membership;
    this.freed = freed;
  }

  @Override
  public Duration run(Instant now) {
    Duration poll = parts.settings().poll();
    if (!membership.holds(now)) {
      return poll;
    }
    Optional<Duration> wait = store.nextExpiry().map(at -> Duration.between(now, at));
    if (wait.filter(left -> left.isNegative() || left.isZero()).isPresent()) {
      boolean more = parts.database().inTransaction(tx -> giveUp(tx, now)) == BATCH;
      freed.run();
      return more ? Duration.ZERO : poll;
    }
    return wait.map(left -> left.compareTo(poll) < 0 ? left : poll)
        .orElse(parts.settings().longRest()); // mostly no run is elsewhere
  }

  private int giveUp(Transaction tx, Instant now) {
    List<Away> expired = store.lockExpired(tx, now, BATCH);
    handovers.end(tx, expired, away -> verdict(away, now), now);
    return expired.size();
  }

  private static Verdict verdict(Away away, Instant now) {
    return away.isAccepted()
        ? Expiry.ofSilence(away.run(), now)
        : Expiry.ofLostLease(away.run(), now);
  }
}
