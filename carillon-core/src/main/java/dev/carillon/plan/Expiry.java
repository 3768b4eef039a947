package dev.carillon.plan;

import dev.carillon.model.Failure;
import dev.carillon.model.Run;
import dev.carillon.target.Outcome;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/** When a run that left its node is given up, and what becomes of it then. */
public final class Expiry {
  private static final Failure WORKER_LOST =
      Failure.of("worker_lost", "the worker that had it let its lease end");

  private Expiry() {}

  /** Return when a run that was accepted elsewhere times out: as it says, else {@code usual}. */
  public static Instant ofAccepted(Run run, Instant startedAt, Instant usual) {
    return run.policy().timeout().map(startedAt::plus).orElse(usual);
  }

  /**
   * Return when a lease ends that is given at {@code now}: with the attempt's time at the latest.
   */
  public static Instant ofLease(Run run, Instant now, Duration lease) {
    return deadline(run)
        .filter(deadline -> deadline.isBefore(now.plus(lease)))
        .orElseGet(() -> now.plus(lease));
  }

  /** Tell whether a run has taken longer than it may. */
  public static boolean isOverdue(Run run, Instant now) {
    return deadline(run).filter(deadline -> !now.isBefore(deadline)).isPresent();
  }

  /** Judge a run that was not reported on in time. */
  public static Verdict ofSilence(Run run, Instant now) {
    String text =
        run.policy()
            .timeout()
            .map(timeout -> "took longer than " + timeout)
            .orElse("nobody reported how it ended");
    return Verdict.of(run, Outcome.failed(Failure.of("timeout", text)), now);
  }

  /** Judge a run whose lease ended. */
  public static Verdict ofLostLease(Run run, Instant now) {
    return isOverdue(run, now) ? ofSilence(run, now) : Verdict.lost(run, WORKER_LOST, now);
  }

  private static Optional<Instant> deadline(Run run) {
    return run.policy()
        .timeout()
        .flatMap(timeout -> run.startedAt().map(started -> started.plus(timeout)));
  }
}
