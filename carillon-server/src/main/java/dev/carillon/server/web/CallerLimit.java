package dev.carillon.server.web;

import java.util.HashMap;
import java.util.Map;

/** Limits what callers keep open, such as streams of events: in all, and for each of them. */
public final class CallerLimit {
  private final int most;
  private final int mostOfOne;
  private final Map<String, Integer> taken = new HashMap<>();
  private int all;

  /** Allow {@code most} in all, and {@code mostOfOne} of each caller. */
  public CallerLimit(int most, int mostOfOne) {
    this.most = most;
    this.mostOfOne = mostOfOne;
  }

  /** Say whether there are as many as there may be. */
  public synchronized boolean none() {
    return all >= most;
  }

  /** Say whether {@code caller} has as many as one may have. */
  public synchronized boolean noneFor(String caller) {
    return taken.getOrDefault(caller, 0) >= mostOfOne;
  }

  /** Count one more of {@code caller}; false if that is one too many. */
  public synchronized boolean take(String caller) {
    if (none() || noneFor(caller)) {
      return false;
    }
    all++;
    taken.merge(caller, 1, Integer::sum);
    return true;
  }

  /** Count one less of {@code caller}. */
  public synchronized void leave(String caller) {
    all--;
    taken.computeIfPresent(caller, (key, count) -> count == 1 ? null : count - 1);
  }
}
