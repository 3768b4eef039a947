package dev.carillon.engine;

import dev.carillon.model.RunId;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Collection;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The runs this node has claimed and whose end is not written yet, and the handlers that still work
 * on runs whose end is: these take up room, too.
 */
final class InFlight {
  private final Map<RunId, RunAttempt> attempts = new ConcurrentHashMap<>();
  private final Map<String, AtomicInteger> byTarget = new ConcurrentHashMap<>();
  private final Map<RunAttempt, Instant> lingering = new ConcurrentHashMap<>();
  private final InstantSource time;
  private final Runnable room;
  private final AtomicInteger transactional = new AtomicInteger();
  private Worked worked = new Worked(0, 0, 0);
  private Worked transactionalWorked = new Worked(0, 0, 0);

  /**
   * What attempts took so far.
   *
   * @param attempts how many were forgotten after their target had worked
   * @param nanos how long they took together
   * @param bytes how large their payloads were together
   */
  record Worked(long attempts, long nanos, long bytes) {}

  /** Call {@code room} when the handler of a run that was over has returned. */
  InFlight(InstantSource time, Runnable room) {
    this.time = time;
    this.room = room;
  }

  /** Add an attempt, in place of an earlier one of the same run. */
  void add(RunAttempt attempt) {
    RunAttempt earlier = attempts.put(attempt.id(), attempt);
    count(attempt, 1);
    if (earlier != null) {
      leave(earlier);
    }
  }

  private void leave(RunAttempt attempt) {
    if (attempt.isOnThread()) {
      lingering.put(attempt, time.instant());
      if (!attempt.isOnThread()) { // it returned in between
        returned(attempt);
      }
    } else {
      count(attempt, -1);
    }
  }

  /** Free the place of {@code attempt}, whose handler has returned, if it is over. */
  void returned(RunAttempt attempt) {
    if (lingering.remove(attempt) != null) {
      count(attempt, -1);
      room.run();
    }
  }

  /** Return attempts whose handlers have not returned though they are over, and since when. */
  Map<RunAttempt, Instant> lingering() {
    return lingering;
  }

  /**
   * Forget an attempt; one that was replaced by a later attempt of the same run is gone already.
   */
  void remove(RunAttempt attempt) {
    if (attempts.remove(attempt.id(), attempt)) {
      leave(attempt);
      if (attempt.hasWorked()) { // what was withdrawn or fenced does not say how long runs take
        worked(attempt);
      }
    }
  }

  private synchronized void worked(RunAttempt attempt) {
    if (attempt.isTransactional()) {
      transactionalWorked = after(transactionalWorked, attempt);
    } else {
      worked = after(worked, attempt);
    }
  }

  private static Worked after(Worked before, RunAttempt attempt) {
    Duration took = Duration.between(attempt.startedAt(), attempt.endedAt());
    return new Worked(
        before.attempts + 1,
        before.nanos + Math.max(0, took.toNanos()),
        before.bytes + attempt.claimed().payload().json().length());
  }

  synchronized Worked worked() {
    return worked;
  }

  synchronized Worked transactionalWorked() {
    return transactionalWorked;
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

  /** Return how many runs take up room. */
  int taken() {
    return attempts.size() + lingering.size();
  }

  /** Return how many runs of {@code target} take up room. */
  int of(String target) {
    return counter(target).get();
  }

  /** Return how many transactional runs take up room. */
  int transactional() {
    return transactional.get();
  }

  private void count(RunAttempt attempt, int by) {
    counter(attempt.claimed().target()).addAndGet(by);
    if (attempt.isTransactional()) {
      transactional.addAndGet(by);
    }
  }

  private AtomicInteger counter(String target) {
    return byTarget.computeIfAbsent(target, label -> new AtomicInteger());
  }
}
