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

  private final InFlight inFlight;
  private final Duration poll;

  TimeoutStep(InFlight inFlight, Duration poll) {
    this.inFlight = inFlight;
    this.poll = poll.compareTo(Duration.ofMillis(100)) < 0 ? poll : Duration.ofMillis(100);
  }

  @Override
  public Duration run(Instant now) {
    for (RunAttempt attempt : inFlight.all()) {
      Optional<Instant> deadline = attempt.deadline();
      if (deadline.isPresent() && !now.isBefore(deadline.get())) {
        String text = "took longer than " + attempt.claimed().policy().timeout().orElseThrow();
        attempt.stop(StopReason.TIMEOUT, text);
        if (!now.isBefore(deadline.get().plus(PATIENCE))) {
          attempt.end(Outcome.failed(Failure.of("timeout", text)));
        }
      }
    }
    return poll;
  }
}
