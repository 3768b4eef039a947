package dev.carillon.engine;

import dev.carillon.model.Failure;
import dev.carillon.target.Outcome;
import dev.carillon.target.StopReason;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/** Stops attempts that take longer than they may. */
final class TimeoutStep implements Step {
  /* A handler that ignores its interrupt for this long is recorded as failed while it still runs. */
  private static final Duration PATIENCE = Duration.ofSeconds(5);

  /* Many attempts may end one after the other; looking at each moment would be too often. */
  private static final Duration LEAST_REST = Duration.ofMillis(20);

  private final InFlight inFlight;
  private final Duration poll;

  TimeoutStep(InFlight inFlight, Duration poll) {
    this.inFlight = inFlight;
    this.poll = poll;
  }

  @Override
  public Duration run(Instant now) {
    Duration rest = poll;
    for (RunAttempt attempt : inFlight.all()) {
      Optional<Duration> timeout = attempt.claimed().policy().timeout();
      if (timeout.isPresent()) {
        Duration wait = Duration.between(now, next(attempt, timeout.get(), now));
        rest = wait.compareTo(rest) < 0 ? wait : rest;
      }
    }
    return rest.compareTo(LEAST_REST) < 0 ? LEAST_REST : rest;
  }

  /* Stops the attempt if it is time, and returns when to look at it again. */
  private static Instant next(RunAttempt attempt, Duration timeout, Instant now) {
    Optional<Instant> deadline = attempt.deadline();
    if (deadline.isEmpty()) { // not begun
      return (attempt.startsAt().isAfter(now) ? attempt.startsAt() : now).plus(timeout);
    }
    if (now.isBefore(deadline.get())) {
      return deadline.get();
    }
    String text = "took longer than " + timeout;
    attempt.stop(StopReason.TIMEOUT, text);
    Instant last = deadline.get().plus(PATIENCE);
    if (!now.isBefore(last)) {
      attempt.end(Outcome.failed(Failure.of("timeout", text)));
    }
    return now.isBefore(last) ? last : now.plus(PATIENCE);
  }
}
