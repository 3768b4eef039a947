package dev.carillon.simulation;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/** What happened in a story: the latest lines in words, everything as counts. */
final class Journal {
  private static final int LINES = 40;

  /** What is counted. */
  enum Kind {
    STEP,
    USER_ACTION,
    START,
    ACCEPTANCE,
    REPORT,
    LEASE,
    COMPLETION,
    CRASH,
    FREEZE,
    CLOCK_STEP,
    LEAVE,
    LOST_CONNECTION,
    AMBIGUOUS_COMMIT,
    INTERLEAVING,
    LOCK_CONFLICT,
    FENCED
  }

  private final boolean aloud;
  private final Deque<String> lines = new ArrayDeque<>();
  private final Map<Kind, Integer> counts = new EnumMap<>(Kind.class);

  Journal(boolean aloud) {
    this.aloud = aloud;
  }

  void count(Kind kind) {
    counts.merge(kind, 1, Integer::sum);
  }

  int of(Kind kind) {
    return counts.getOrDefault(kind, 0);
  }

  void say(String line) {
    if (aloud) {
      System.out.println(line);
    }
    lines.addLast(line);
    if (lines.size() > LINES) {
      lines.removeFirst();
    }
  }

  List<String> last() {
    return List.copyOf(lines);
  }
}
