package dev.carillon.engine;

import java.time.Instant;
import java.util.Comparator;
import java.util.Optional;
import java.util.PriorityQueue;

/** Attempts that were claimed a moment before they are due, and wait for it. */
final class ClaimedAheadQueue {
  private final PriorityQueue<RunAttempt> waiting =
      new PriorityQueue<>(Comparator.comparing(RunAttempt::startsAt));

  synchronized void add(RunAttempt attempt) {
    waiting.add(attempt);
  }

  /** Take the first that is due by {@code now}, if there is one. */
  synchronized Optional<RunAttempt> takeDue(Instant now) {
    RunAttempt first = waiting.peek();
    return first == null || first.startsAt().isAfter(now)
        ? Optional.empty()
        : Optional.of(waiting.remove());
  }

  /** Return when the first of them is due. */
  synchronized Optional<Instant> nextDue() {
    return Optional.ofNullable(waiting.peek()).map(RunAttempt::startsAt);
  }
}
