package dev.carillon.server.watch;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** The values a label may have: the first hundred that come, and one for all others. */
final class MetricLabels {
  static final int MAX_VALUES = 100;
  static final String OTHERS = "other";

  private final Set<String> known = ConcurrentHashMap.newKeySet();

  /** Return {@code value}, or the word for others if there are too many already. */
  String bounded(String value) {
    if (known.contains(value)) {
      return value;
    }
    synchronized (this) {
      return known.size() < MAX_VALUES && known.add(value) ? value : OTHERS;
    }
  }
}
