package dev.carillon.server.watch;

import java.util.HashMap;
import java.util.Map;

/** Limits the streams of events: in all, and for each caller. */
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

  /** Count a stream of {@code caller}; false if that is one too many. */
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
    taken.computeIfPresent(caller, (key, streams) -> streams == 1 ? null : streams - 1);
  }
}
