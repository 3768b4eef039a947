package dev.carillon.engine;

import dev.carillon.model.Failure;
import dev.carillon.target.Outcome;
import dev.carillon.target.StopReason;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Stops attempts that take longer than they may, and logs handlers that do not stop. */
final class TimeoutStep implements Step {
  private static final Logger LOG = LoggerFactory.getLogger("dev.carillon");

  /* A handler that ignores its interrupt for this long is recorded as failed while it still runs. */
  private static final Duration STOP_GRACE = Duration.ofSeconds(5);

  /* A handler may need a moment to clean up when it is asked to stop. */
  private static final Duration STUCK = Duration.ofSeconds(10);

  /* Many attempts may end one after the other; looking at each moment would be too often. */
  private static final Duration MIN_REST = Duration.ofMillis(20);

  private final InFlight inFlight;
  private final Duration poll;
  private final Set<RunAttempt> logged = new HashSet<>();

  TimeoutStep(EngineContext engine) {
    this.inFlight = engine.inFlight();
    this.poll = engine.settings().poll();
  }

  @Override
  public Duration run(Instant now) {
    Duration rest = poll;
    lookForStuck(now);
    for (RunAttempt attempt : inFlight.all()) {
      attempt.endIfLost();
      Optional<Duration> timeout = attempt.claimed().policy().timeout();
      if (timeout.isPresent()) {
        rest = Step.shorter(rest, next(attempt, timeout.get(), now));
      }
    }
    return rest.compareTo(MIN_REST) < 0 ? MIN_REST : rest;
  }

  /* Stops the attempt if it is time, and returns how soon to look at it again. */
  private static Duration next(RunAttempt attempt, Duration timeout, Instant now) {
    Optional<Duration> worked = attempt.worked();
    if (worked.isEmpty()) { // not begun; mostly, it is given back long before this
      Duration most = timeout.plus(STOP_GRACE);
      if (attempt.held().compareTo(most) >= 0 && !now.isBefore(attempt.startsAt().plus(most))) {
        attempt.end(Outcome.failed(Failure.of("timeout", "was not started within " + timeout)));
      }
      Duration early = Duration.between(now, attempt.startsAt());
      return early.isNegative() ? timeout : early.plus(timeout);
    }
    Duration left = timeout.minus(worked.get());
    if (isPositive(left)) {
      return left;
    }
    String text =
        "took longer than "
            + timeout
            + attempt
                .claimed()
                .policy()
                .timeoutCalendar()
                .map(name -> ", its timeout in working time of calendar " + name)
                .orElse("");
    attempt.stop(StopReason.TIMEOUT, text);
    Duration grace = left.plus(STOP_GRACE);
    if (!isPositive(grace)) {
      attempt.end(Outcome.failed(Failure.of("timeout", text)));
    }
    return isPositive(grace) ? grace : STOP_GRACE;
  }

  private static boolean isPositive(Duration left) {
    return !left.isNegative() && !left.isZero();
  }

  private void lookForStuck(Instant now) {
    Map<RunAttempt, Instant> lingering = inFlight.lingering();
    logged.retainAll(lingering.keySet());
    lingering.forEach(
        (attempt, since) -> {
          if (isStuck(since, now) && logged.add(attempt)) {
            new LogLine(
                    LOG.atWarn(),
                    "a handler does not stop though its run is over; it keeps its thread")
                .with("run", attempt.id())
                .with("schedule", attempt.claimed().schedule().orElse("-"))
                .with("target", attempt.claimed().target())
                .log();
          }
        });
  }

  /** Return whether a handler has gone on for long since its run is over. */
  static boolean isStuck(Instant since, Instant now) {
    return !now.isBefore(since.plus(STUCK));
  }
}
