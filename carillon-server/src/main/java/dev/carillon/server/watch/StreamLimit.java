package dev.carillon.server.watch;

import java.util.HashMap;
import java.util.Map;

/** How many may listen: so many in all, and so many of them the same caller. */
final class StreamLimit {
  private final int most;
  private final int mostOfOne;
  private final Map<String, Integer> taken = new HashMap<>();
  private int all;

  StreamLimit(int most, int mostOfOne) {
    this.most = most;
    this.mostOfOne = mostOfOne;
  }

  synchronized boolean none() {
    return all >= most;
  }

  synchronized boolean noneFor(String caller) {
    return taken.getOrDefault(caller, 0) >= mostOfOne;
  }

  /** Take a seat for {@code caller}; false if there is none. */
  synchronized boolean take(String caller) {
    if (none() || noneFor(caller)) {
      return false;
    }
    all++;
    taken.merge(caller, 1, Integer::sum);
    return true;
  }

  synchronized void leave(String caller) {
    all--;
    taken.computeIfPresent(caller, (who, seats) -> seats == 1 ? null : seats - 1);
  }
}
