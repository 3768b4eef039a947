package dev.carillon.policy;

import dev.carillon.time.InvalidValueException;
import java.time.Duration;
import java.util.Optional;

/**
 * How often a failed run is tried again, and after how long.
 *
 * @param attempts tries in all, the first included
 * @param backoff pause after the first failure
 * @param factor by which the pause grows with each further failure
 * @param maxBackoff the longest pause
 * @param calendar whose working time pauses count; empty for time as it passes
 */
public record Retry(
    int attempts, Duration backoff, double factor, Duration maxBackoff, Optional<String> calendar) {
  /** The most tries accepted. */
  public static final int MAX_ATTEMPTS = 1_000;

  /** The longest pause accepted. */
  public static final Duration MAX_BACKOFF = Duration.ofDays(30);

  /** One try only. */
  public static final Retry NONE =
      new Retry(1, Duration.ofSeconds(2), 2.0, Duration.ofMinutes(5), Optional.empty());

  public Retry {
    if (attempts < 1 || attempts > MAX_ATTEMPTS) {
      throw new InvalidValueException(
          "attempts must be from 1 to " + MAX_ATTEMPTS + ", the first included; was " + attempts);
    }
    if (backoff.isNegative() || backoff.compareTo(MAX_BACKOFF) > 0) {
      throw new InvalidValueException("backoff must be from 0 to 30d; was " + backoff);
    }
    if (!(factor >= 1.0 && factor <= 100.0)) {
      throw new InvalidValueException("factor must be from 1 to 100; was " + factor);
    }
    if (maxBackoff.compareTo(backoff) < 0 || maxBackoff.compareTo(MAX_BACKOFF) > 0) {
      throw new InvalidValueException(
          "max backoff must be from the backoff " + backoff + " to 30d; was " + maxBackoff);
    }
  }

  /** Try {@code attempts} times in all, pausing 2 s, then 4 s, and so on up to 5 min. */
  public static Retry times(int attempts) {
    return new Retry(attempts, NONE.backoff, NONE.factor, NONE.maxBackoff, Optional.empty());
  }

  /** Pause {@code backoff} after the first failure. */
  public Retry backoff(Duration backoff) {
    return new Retry(
        attempts,
        backoff,
        factor,
        maxBackoff.compareTo(backoff) < 0 ? backoff : maxBackoff,
        calendar);
  }

  /** Let the pause grow by {@code factor} with each failure. */
  public Retry factor(double factor) {
    return new Retry(attempts, backoff, factor, maxBackoff, calendar);
  }

  /** Pause at most {@code maxBackoff}. */
  public Retry maxBackoff(Duration maxBackoff) {
    return new Retry(attempts, backoff, factor, maxBackoff, calendar);
  }

  /** Count pauses in the working time of {@code calendar}. */
  public Retry calendar(String calendar) {
    return new Retry(attempts, backoff, factor, maxBackoff, Optional.of(calendar));
  }

  /** Return the same with pauses of {@code pause}, as time passes. */
  public Retry pausing(Duration pause) {
    return new Retry(attempts, pause, 1, pause, Optional.empty());
  }

  /** Return how long to wait after the failure of try number {@code attempt}; empty to give up. */
  public Optional<Duration> delayAfter(int attempt) {
    if (attempt >= attempts) {
      return Optional.empty();
    }
    double millis = backoff.toMillis() * Math.pow(factor, Math.max(0, attempt - 1));
    return Optional.of(
        millis >= maxBackoff.toMillis() ? maxBackoff : Duration.ofMillis(Math.round(millis)));
  }
}
