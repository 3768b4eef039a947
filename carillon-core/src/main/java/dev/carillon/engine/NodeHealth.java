package dev.carillon.engine;

import dev.carillon.store.cluster.ClusterStats;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/** What is wrong with this node, as far as it knows without asking the database. */
public final class NodeHealth {
  private final InstantSource time;
  private final Membership membership;
  private final InFlight inFlight;
  private volatile Supplier<List<String>> loops = List::of;

  NodeHealth(InstantSource time, Membership membership, InFlight inFlight) {
    this.time = time;
    this.membership = membership;
    this.inFlight = inFlight;
  }

  /** Ask {@code loops} for a sentence about each loop that does not turn. */
  void watchedBy(Supplier<List<String>> loops) {
    this.loops = loops;
  }

  /** Return a sentence about each thing that is wrong. */
  public List<String> ailments() {
    Instant now = time.instant();
    var ailments = new ArrayList<String>();
    if (!membership.holds(now)) {
      ailments.add(ClusterStats.NOT_RUNNING);
    }
    ailments.addAll(loops.get());
    long stuck = inFlight.lingering().stream().filter(one -> TimeoutStep.isStuck(one, now)).count();
    if (stuck > 0) {
      ailments.add(
          "stuck: %s handlers do not stop though their runs are over, and keep their places"
              .formatted(stuck));
    }
    return ailments;
  }
}
