package dev.carillon.target;

import dev.carillon.model.ExternalId;
import dev.carillon.model.Failure;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;

/** How an attempt ended. */
public sealed interface Outcome {

  /**
   * The work is done.
   *
   * @param externalId what those who did it call it, if they said so
   */
  record Succeeded(Optional<String> externalId) implements Outcome {
    public Succeeded {
      externalId = externalId.map(ExternalId::checked);
    }
  }

  /**
   * The work is not done.
   *
   * @param failure why
   * @param retryable whether trying again may help
   * @param retryAfter when to try again, if the other side said so
   */
  record Failed(Failure failure, boolean retryable, Optional<Duration> retryAfter)
      implements Outcome {
    public Failed {
      Objects.requireNonNull(failure, "what failed has a failure");
      Objects.requireNonNull(retryAfter, "say Optional.empty() if the other side did not say when");
    }
  }

  /**
   * The work was given up on request.
   *
   * @param reason what they said
   */
  record Canceled(String reason) implements Outcome {
    public Canceled {
      Objects.requireNonNull(reason, "what was given up has a reason");
    }
  }

  /**
   * The node is stopping and did not finish the work; the run's recovery decides.
   *
   * @param reason what happened
   */
  record Interrupted(String reason) implements Outcome {
    public Interrupted {
      Objects.requireNonNull(reason, "what was interrupted has a reason");
    }
  }

  /**
   * Somebody else has the work and will report how it ended: the run goes on without this node.
   *
   * @param externalId what they call it, if they said so
   * @param reportWithin after how long without a report the run is given up; empty for as long as
   *     the scheduler is set to wait
   */
  record Accepted(Optional<String> externalId, Optional<Duration> reportWithin) implements Outcome {
    public Accepted {
      externalId = externalId.map(ExternalId::checked);
    }

    /** Wait for the report as long as the scheduler is set to. */
    public Accepted(Optional<String> externalId) {
      this(externalId, Optional.empty());
    }
  }

  /** Return what those who have or did the work call it. */
  default Optional<String> externalId() {
    return Optional.empty();
  }

  /** Say that the work is done. */
  static Outcome succeeded() {
    return new Succeeded(Optional.empty());
  }

  /** Say that an external system has the work and will report how it ended. */
  static Outcome accepted() {
    return new Accepted(Optional.empty());
  }

  /** Say that an external system has the work, and its id there. */
  static Outcome accepted(String externalId) {
    return new Accepted(Optional.of(externalId));
  }

  /** Say that the work failed, and that trying again may help. */
  static Outcome failed(Failure failure) {
    return new Failed(failure, true, Optional.empty());
  }

  /** Say that the work failed for good. */
  static Outcome failedPermanently(Failure failure) {
    return new Failed(failure, false, Optional.empty());
  }
}
