package dev.carillon.engine;

import dev.carillon.store.cluster.NodeStore;
import dev.carillon.store.cluster.NodeStore.Lease;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/**
 * Finds nodes whose lease is over, whether or not the database's clock was set.
 *
 * <p>By that clock, a lease is over when its time has come; this is believed only if the clock was
 * not set since the lease was written. By time that passed, it is over when this node has seen it
 * unrenewed for as long as it lasts; a living node has renewed it by then, or has stopped its work.
 */
final class DeadNodes {
  /* Clocks run at slightly different speeds. */
  private static final int DRIFT_DIVISOR = 1_000;

  private final NodeTime time;
  private final NodeStore nodes;
  private final UUID self;

  /* Since when the leases of others are as they are, in nanoseconds. */
  private final Map<Lease, Long> firstSeen = new HashMap<>();

  DeadNodes(NodeTime time, NodeStore nodes, UUID self) {
    this.time = time;
    this.nodes = nodes;
    this.self = self;
  }

  /** Look at all leases, and return those that are over. */
  synchronized List<Lease> find() {
    List<Lease> leases = nodes.leases(self);
    long seenAt = time.nanos();
    firstSeen.keySet().retainAll(leases);
    leases.forEach(lease -> firstSeen.putIfAbsent(lease, seenAt));
    Instant now = time.instant();
    if (leases.stream().noneMatch(lease -> isOver(lease, seenAt, now))) {
      return List.of(); // mostly so
    }
    Instant read = time.sync(); // a node that saw a step before this one may have renewed by it
    return leases.stream().filter(lease -> isOver(lease, seenAt, read)).toList();
  }

  private boolean isOver(Lease lease, long seenAt, Instant now) {
    return lease.hasLeft() || isOverByClock(lease, now) || isOverByTimePassed(lease, seenAt);
  }

  private boolean isOverByClock(Lease lease, Instant now) {
    Instant steadySince = time.lastStep().map(ClockStep::at).orElse(Instant.MIN);
    return !lease.seenAt().isBefore(steadySince) && !lease.until().isAfter(now);
  }

  private boolean isOverByTimePassed(Lease lease, long seenAt) {
    Duration lasts = Duration.between(lease.seenAt(), lease.until());
    long passed = seenAt - firstSeen.getOrDefault(lease, seenAt);
    return passed >= lasts.plus(lasts.dividedBy(DRIFT_DIVISOR)).toNanos();
  }
}
