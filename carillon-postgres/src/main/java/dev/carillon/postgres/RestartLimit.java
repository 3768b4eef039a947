package dev.carillon.postgres;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;

/**
 * Says when a server that ended by itself is restarted: at once, then after pauses that double, and
 * no more once that happened too often within a while.
 */
final class RestartLimit {
  private final int max;
  private final Duration period;
  private final Duration firstPause;
  private final Deque<Instant> restarts = new ArrayDeque<>();

  RestartLimit(int max, Duration period, Duration firstPause) {
    this.max = max;
    this.period = period;
    this.firstPause = firstPause;
  }

  /** Return the pause before a restart that is asked for at {@code now}; empty if it is refused. */
  synchronized Optional<Duration> pause(Instant now) {
    restarts.removeIf(restart -> restart.plus(period).isBefore(now));
    int before = restarts.size();
    if (before == max) {
      return Optional.empty();
    }
    restarts.addLast(now);
    return Optional.of(before == 0 ? Duration.ZERO : firstPause.multipliedBy(1L << (before - 1)));
  }

  @Override
  public String toString() {
    return "%s times within %s minutes".formatted(max, period.toMinutes());
  }
}
