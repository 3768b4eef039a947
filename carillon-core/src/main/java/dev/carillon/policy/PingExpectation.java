package dev.carillon.policy;

import dev.carillon.time.Cron;
import dev.carillon.time.DurationText;
import dev.carillon.time.InvalidValueException;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * When work that runs elsewhere is expected to succeed: at least every so often, or after each slot
 * of a cron expression.
 *
 * @param successEvery the longest time between two successes; empty if slots say when
 * @param cron after whose slots there must be a success; empty if a duration says when
 * @param grace how much longer it may take
 */
public record PingExpectation(
    Optional<Duration> successEvery, Optional<Cron> cron, Duration grace) {

  public PingExpectation {
    if (successEvery.isPresent() == cron.isPresent()) {
      throw new InvalidValueException(
          "successEvery",
          "say how often it is to succeed: successEvery, such as P1D, or cron with a zone");
    }
    // the same limits as for schedules
    new Expectation(successEvery.orElse(Duration.ofDays(1)), grace, Optional.empty());
  }

  /** Expect a success at least every {@code time}. */
  public static PingExpectation successEvery(Duration time) {
    return new PingExpectation(Optional.of(time), Optional.empty(), Duration.ZERO);
  }

  /** Expect a success after each slot of {@code cron}. */
  public static PingExpectation after(Cron cron) {
    return new PingExpectation(Optional.empty(), Optional.of(cron), Duration.ZERO);
  }

  /** Return the same, waiting for {@code grace} longer. */
  public PingExpectation grace(Duration grace) {
    return new PingExpectation(successEvery, cron, grace);
  }

  /**
   * Return when what has not succeeded since {@code since} is overdue; empty if its cron expression
   * names no later time.
   */
  public Optional<Instant> overdueAt(Instant since) {
    return successEvery
        .map(since::plus)
        .or(() -> cron.flatMap(slots -> slots.next(since)))
        .map(by -> by.plus(grace));
  }

  /** Return what is expected, in words. */
  public String describe() {
    return successEvery
            .map(time -> "a success every " + DurationText.of(time))
            .or(() -> cron.map(slots -> "a success after each slot of " + slots))
            .orElseThrow()
        + (grace.isZero() ? "" : ", with a grace of " + DurationText.of(grace));
  }
}
