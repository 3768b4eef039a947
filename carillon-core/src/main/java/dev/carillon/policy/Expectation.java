package dev.carillon.policy;

import dev.carillon.time.InvalidValueException;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * How often a schedule is expected to succeed.
 *
 * @param successEvery the longest time between two successes
 * @param grace how much longer it may take before it counts as silent
 * @param escalateTo the label of the target that runs once when it is silent; empty for none
 */
public record Expectation(Duration successEvery, Duration grace, Optional<String> escalateTo) {
  private static final Duration SHORTEST = Duration.ofMinutes(1);
  private static final Duration LONGEST = Duration.ofDays(400);

  public Expectation {
    if (successEvery.compareTo(SHORTEST) < 0 || successEvery.compareTo(LONGEST) > 0) {
      throw new InvalidValueException(
          "successEvery", "a success is expected every 1m to 400d; was " + successEvery);
    }
    if (grace.isNegative() || grace.compareTo(LONGEST) > 0) {
      throw new InvalidValueException("grace", "the grace is from 0 to 400d; was " + grace);
    }
  }

  /** Expect a success at least every {@code time}. */
  public static Expectation successEvery(Duration time) {
    return new Expectation(time, Duration.ZERO, Optional.empty());
  }

  /** Return the same, waiting for {@code grace} longer. */
  public Expectation grace(Duration grace) {
    return new Expectation(successEvery, grace, escalateTo);
  }

  /** Return the same, running {@code target} once per silence. */
  public Expectation escalateTo(String target) {
    return new Expectation(successEvery, grace, Optional.of(target));
  }

  /** Return when a schedule that has not succeeded since {@code since} counts as silent. */
  public Instant overdueAt(Instant since) {
    return since.plus(successEvery).plus(grace);
  }
}
