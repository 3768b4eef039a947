package dev.carillon.server.watch;

import dev.carillon.server.store.ChangePosition;
import dev.carillon.server.store.ChangeStore.Snapshot;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;

/**
 * How far everything is known, and since when what is still to come can have been made: not since
 * the last look, but since the last that saw none of it begun.
 */
final class ChangeWatermark {
  /* Once the database is back, nodes have this long to write what ended while it was away. */
  private static final Duration LATE_WRITES = Duration.ofMinutes(2);

  private record Look(long next, Instant at) {}

  private final Deque<Look> looks = new ArrayDeque<>();
  private Instant settledAt = Instant.MIN;

  /** Return the place up to which {@code snapshot}, taken at {@code now}, knows everything. */
  ChangePosition seen(Snapshot snapshot, Instant now) {
    if (!looks.isEmpty() && looks.getLast().next == snapshot.next() && now.isAfter(settledAt)) {
      looks.removeLast();
    }
    looks.addLast(new Look(snapshot.next(), now));
    while (now.isAfter(settledAt) && secondIsBefore(snapshot.oldest())) {
      looks.removeFirst();
    }
    return snapshot.place(looks.getFirst().at);
  }

  private boolean secondIsBefore(long oldest) {
    return looks.size() > 1 && looks.stream().skip(1).findFirst().orElseThrow().next <= oldest;
  }

  /** A look failed at {@code now}: what was made meanwhile may be written late. */
  void lost(Instant now) {
    settledAt = now.plus(LATE_WRITES);
  }

  void forget() {
    looks.clear();
    settledAt = Instant.MIN;
  }
}
