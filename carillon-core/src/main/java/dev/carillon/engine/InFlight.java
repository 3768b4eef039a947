package dev.carillon.engine;

import dev.carillon.model.RunId;
import java.time.Duration;
import java.util.Collection;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/** The runs this node has claimed and whose end is not written yet. */
final class InFlight {
  private final Map<RunId, RunAttempt> attempts = new ConcurrentHashMap<>();
  private final Map<String, AtomicInteger> byTarget = new ConcurrentHashMap<>();
  private Worked worked = new Worked(0, 0, 0);

  /**
   * What attempts took so far.
   *
   * @param attempts how many were forgotten after their target had worked
   * @param nanos how long they took together
   * @param bytes how large their payloads were together
   */
  record Worked(long attempts, long nanos, long bytes) {}

  /** Take an attempt in hand, in place of an earlier one of the same run. */
  void add(RunAttempt attempt) {
    RunAttempt earlier = attempts.put(attempt.id(), attempt);
    counter(attempt.target()).incrementAndGet();
    if (earlier != null) {
      counter(earlier.target()).decrementAndGet();
    }
  }

  /**
   * Forget an attempt; one that was replaced by a later attempt of the same run is gone already.
   */
  void remove(RunAttempt attempt) {
    if (attempts.remove(attempt.id(), attempt)) {
      counter(attempt.target()).decrementAndGet();
      if (attempt.hasWorked()) { // what was withdrawn or fenced does not say how long runs take
        worked(
            Duration.between(attempt.startedAt(), attempt.endedAt()),
            attempt.payload().json().length());
      }
    }
  }

  private synchronized void worked(Duration time, int bytes) {
    worked =
        new Worked(
            worked.attempts + 1, worked.nanos + Math.max(0, time.toNanos()), worked.bytes + bytes);
  }

  synchronized Worked worked() {
    return worked;
  }

  Optional<RunAttempt> find(RunId id) {
    return Optional.ofNullable(attempts.get(id));
  }

  Collection<RunAttempt> all() {
    return attempts.values();
  }

  int size() {
    return attempts.size();
  }

  int of(String target) {
    return counter(target).get();
  }

  private AtomicInteger counter(String target) {
    return byTarget.computeIfAbsent(target, label -> new AtomicInteger());
  }
}
