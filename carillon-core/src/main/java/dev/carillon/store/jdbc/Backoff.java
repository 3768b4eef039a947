package dev.carillon.store.jdbc;

import java.time.Duration;
import java.util.SplittableRandom;

/**
 * How long to wait before trying again: not at all after the first failure, then twice as long each
 * time, up to a limit. Of each wait up to half is left out, by chance, so that those that failed
 * together do not come back together.
 *
 * @param most how long at most
 * @param seed decides about chance: the same seed waits in the same way
 */
public record Backoff(Duration most, long seed) {
  private static final Duration SECOND_WAIT = Duration.ofMillis(50);
  private static final int MAX_DOUBLINGS = 30;

  public Backoff {
    if (most.isNegative() || most.isZero()) {
      throw new IllegalArgumentException("most must be longer than nothing; was " + most);
    }
  }

  /** Return how long to wait after so many failures in a row. */
  public Duration after(int failures) {
    if (failures <= 1) {
      return Duration.ZERO;
    }
    long doubled = SECOND_WAIT.toNanos() << Math.min(failures - 2, MAX_DOUBLINGS);
    long whole = Math.min(doubled, most.toNanos());
    return Duration.ofNanos(whole - new SplittableRandom(seed + failures).nextLong(whole / 2 + 1));
  }
}
