package dev.carillon.engine;

import dev.carillon.engine.Claimer.Claimed;
import dev.carillon.store.claim.ClaimPosition;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;

/**
 * Remembers up to where this node has claimed a backlog, so that the next claim goes on there and
 * does not read past all that runs already. Every second a claim begins at the start: runs may have
 * been given back, or added with an earlier time.
 */
final class BacklogPosition {
  private static final Duration RESTART_EVERY = Duration.ofSeconds(1);

  private final Map<String, ClaimPosition> positions = new HashMap<>();
  private Instant restartAt = Instant.MIN;

  /** Return where to begin with some targets. */
  Map<String, ClaimPosition> positions(Instant now) {
    if (!now.isBefore(restartAt)) {
      positions.clear();
      restartAt = now.plus(RESTART_EVERY);
    }
    return Map.copyOf(positions);
  }

  /**
   * Record a claim that asked for {@code wanted} runs of each target. Returns whether one that went
   * on in the middle found less, so that there may be more at the start.
   */
  boolean claimed(Map<String, Integer> wanted, Claimed claimed) {
    boolean unsure = false;
    for (var target : wanted.entrySet()) {
      int seen = claimed.seen(target.getKey());
      ClaimPosition last = claimed.last().get(target.getKey());
      // More than was wanted are the oldest of their lanes, which may be anywhere.
      if (last != null && seen == target.getValue()) {
        positions.put(target.getKey(), last);
      } else {
        unsure |= positions.remove(target.getKey()) != null && seen < target.getValue();
      }
    }
    return unsure;
  }
}
