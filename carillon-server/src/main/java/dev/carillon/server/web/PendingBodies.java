package dev.carillon.server.web;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/** The bodies that are being read or worked on: how many, how many bytes, and for how long. */
final class PendingBodies {
  private final HttpLimits limits;
  private final AtomicLong bytes = new AtomicLong();
  private final Set<BodyReader> slow = ConcurrentHashMap.newKeySet();

  PendingBodies(HttpLimits limits) {
    this.limits = limits;
  }

  /** Count bytes until they are given back; false if they are too many together with the others. */
  boolean take(int more) {
    if (bytes.addAndGet(more) > limits.bodyBytes()) {
      bytes.addAndGet(-more);
      return false;
    }
    return true;
  }

  void giveBack(long taken) {
    bytes.addAndGet(-taken);
  }

  /** Watch over a body that has not come at once; false if there are too many of them. */
  boolean watch(BodyReader reader) {
    slow.add(reader);
    if (slow.size() > limits.bodies()) {
      slow.remove(reader);
      return false;
    }
    return true;
  }

  void forget(BodyReader reader) {
    slow.remove(reader);
  }

  /** Refuse the bodies that come too slowly. */
  void refuseSlow() {
    long now = System.nanoTime();
    for (BodyReader reader : slow) {
      reader.refuseIfSlow(now, limits);
    }
  }
}
