package dev.carillon.model;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * When runs started and finished, and how long they took. A run that has not done so does not fit.
 *
 * @param startedFrom whose last attempt began at or after this
 * @param startedUntil whose last attempt began before this
 * @param finishedFrom over at or after this
 * @param finishedUntil over before this
 * @param shortest that took at least this
 * @param longest that took at most this
 */
public record RunTimes(
    Optional<Instant> startedFrom,
    Optional<Instant> startedUntil,
    Optional<Instant> finishedFrom,
    Optional<Instant> finishedUntil,
    Optional<Duration> shortest,
    Optional<Duration> longest) {
  /** Any times, and none. */
  public static final RunTimes ANY =
      new RunTimes(
          Optional.empty(),
          Optional.empty(),
          Optional.empty(),
          Optional.empty(),
          Optional.empty(),
          Optional.empty());

  /** Tell whether {@code run} has such times. */
  public boolean fit(Run run) {
    return isBetween(run.startedAt(), startedFrom, startedUntil)
        && isBetween(run.finishedAt(), finishedFrom, finishedUntil)
        && reaches(run.duration(), shortest)
        && (longest.isEmpty()
            || run.duration().filter(it -> reaches(longest, Optional.of(it))).isPresent());
  }

  private static boolean isBetween(
      Optional<Instant> at, Optional<Instant> from, Optional<Instant> until) {
    return reaches(at, from)
        && (until.isEmpty() || at.filter(it -> it.isBefore(until.get())).isPresent());
  }

  private static <T extends Comparable<T>> boolean reaches(Optional<T> value, Optional<T> least) {
    return least.isEmpty() || value.filter(it -> it.compareTo(least.get()) >= 0).isPresent();
  }
}
