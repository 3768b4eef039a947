package dev.carillon.server.web;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The bodies that are being read or worked on: how many, how many bytes, and for how long. Of those
 * that do not come at once, a caller has a share only, so that others can send theirs meanwhile.
 */
final class PendingBodies {
  private static final int SHARE_OF_BODIES = 4;
  private static final int SHARE_OF_BYTES = 2;

  private final HttpLimits limits;
  private final AtomicLong bytes = new AtomicLong();
  private final Set<BodyReader> slow = ConcurrentHashMap.newKeySet();
  private final CallerLimit callers;

  PendingBodies(HttpLimits limits) {
    this.limits = limits;
    this.callers = new CallerLimit(limits.bodies(), limits.bodies() / SHARE_OF_BODIES);
  }

  /** Count bytes until they are given back; false if they are too many together with the others. */
  boolean take(int more) {
    if (bytes.addAndGet(more) > limits.bodyBytes()) {
      bytes.addAndGet(-more);
      return false;
    }
    return true;
  }

  /** Count bytes of a body that is watched, as {@link #take}, within the share of its caller. */
  boolean takeSlow(BodyReader reader, int more) {
    return hasRoom(reader, more) && take(more);
  }

  private boolean hasRoom(BodyReader reader, int more) {
    long all =
        slow.stream()
            .filter(other -> other.caller().equals(reader.caller()))
            .mapToLong(BodyReader::bytes)
            .sum();
    return all + more <= limits.bodyBytes() / SHARE_OF_BYTES;
  }

  void giveBack(long taken) {
    bytes.addAndGet(-taken);
  }

  /**
   * Watch over a body that has not come at once; false if there are too many of them or of its
   * caller.
   */
  boolean watch(BodyReader reader) {
    if (!callers.take(reader.caller())) {
      return false;
    }
    slow.add(reader);
    if (!hasRoom(reader, 0)) {
      forget(reader);
      return false;
    }
    return true;
  }

  void forget(BodyReader reader) {
    if (slow.remove(reader)) {
      callers.leave(reader.caller());
    }
  }

  /** Refuse the bodies that come too slowly. */
  void refuseSlow() {
    long now = System.nanoTime();
    for (BodyReader reader : slow) {
      reader.refuseIfSlow(now, limits);
    }
  }
}
