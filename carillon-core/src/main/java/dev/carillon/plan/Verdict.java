package dev.carillon.plan;

import dev.carillon.model.Failure;
import dev.carillon.model.Run;
import dev.carillon.model.RunId;
import dev.carillon.model.RunState;
import dev.carillon.policy.Recovery;
import dev.carillon.policy.Retry;
import dev.carillon.target.Outcome;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * What becomes of a run after an attempt.
 *
 * @param id the run
 * @param attempt the attempt that ended: the fence
 * @param state what the run becomes
 * @param wakeAt when it is tried again, if it becomes pending; when it is given up, if it goes on
 *     elsewhere and its target says so
 * @param failure why the attempt failed
 * @param reason why it was canceled
 */
public record Verdict(
    RunId id,
    int attempt,
    RunState state,
    Optional<Instant> wakeAt,
    Optional<Failure> failure,
    Optional<String> reason) {
  /* A single attempt should survive a restart, but a run that lost this many nodes may be what kills
   * them. */
  private static final int TRIES_DESPITE_LOST_NODES = 3;

  /** Judge a run by how its attempt ended, or that it goes on elsewhere. */
  public static Verdict of(Run run, Outcome outcome, Instant now) {
    if (outcome instanceof Outcome.Succeeded) {
      return end(run, RunState.SUCCEEDED, Optional.empty(), Optional.empty());
    }
    if (outcome instanceof Outcome.Accepted accepted) {
      return new Verdict(
          run.id(),
          run.attempt(),
          RunState.RUNNING,
          accepted.reportWithin().map(now::plus),
          Optional.empty(),
          Optional.empty());
    }
    if (outcome instanceof Outcome.Canceled canceled) {
      return end(run, RunState.CANCELED, Optional.empty(), Optional.of(canceled.reason()));
    }
    if (outcome instanceof Outcome.Interrupted interrupted) {
      return lost(run, interrupted(interrupted), now);
    }
    if (outcome instanceof Outcome.Failed failed) {
      return failed(run, failed, now);
    }
    throw new AssertionError(outcome); // VerdictTest walks the permitted types
  }

  /** Judge a run whose node died or stopped before the attempt ended. */
  public static Verdict lost(Run run, Failure why, Instant now) {
    if (run.reason().isPresent()) {
      return end(run, RunState.CANCELED, Optional.empty(), run.reason());
    }
    int most = Math.max(run.policy().retry().attempts(), TRIES_DESPITE_LOST_NODES);
    return run.policy().recovery() == Recovery.RESUBMIT && counted(run) < most
        ? again(run, why, Instants.later(now, run.dueAt())) // it may be claimed before it is due
        : end(run, RunState.FAILED, Optional.of(why), Optional.empty());
  }

  /** Return the failure that an attempt is recorded with whose node or worker was stopping. */
  public static Failure interrupted(Outcome.Interrupted outcome) {
    return Failure.of("interrupted", outcome.reason());
  }

  /** Return how many attempts count, the one that ended included. */
  static int counted(Run run) {
    return run.attempt() - run.policy().attemptsBefore();
  }

  private static Verdict failed(Run run, Outcome.Failed failed, Instant now) {
    if (run.reason().isPresent()) {
      return end(run, RunState.CANCELED, Optional.empty(), run.reason());
    }
    Optional<Duration> delay =
        failed.retryable() ? run.policy().retry().delayAfter(counted(run)) : Optional.empty();
    return delay
        .map(pause -> again(run, failed.failure(), now.plus(longer(pause, failed.retryAfter()))))
        .orElseGet(
            () -> end(run, RunState.FAILED, Optional.of(failed.failure()), Optional.empty()));
  }

  /** Return the pause, or what the other side asked for if that is longer, within bounds. */
  private static Duration longer(Duration pause, Optional<Duration> asked) {
    Duration wish = asked.orElse(pause);
    Duration bounded = wish.compareTo(Retry.MAX_BACKOFF) > 0 ? Retry.MAX_BACKOFF : wish;
    return bounded.compareTo(pause) > 0 ? bounded : pause;
  }

  private static Verdict again(Run run, Failure failure, Instant wakeAt) {
    return new Verdict(
        run.id(),
        run.attempt(),
        RunState.PENDING,
        Optional.of(wakeAt),
        Optional.of(failure),
        Optional.empty());
  }

  private static Verdict end(
      Run run, RunState state, Optional<Failure> failure, Optional<String> reason) {
    return new Verdict(run.id(), run.attempt(), state, Optional.empty(), failure, reason);
  }
}
