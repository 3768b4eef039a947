package dev.carillon.model;

import dev.carillon.time.InvalidValueException;
import java.util.Optional;

/**
 * What those who accepted a run say about it.
 *
 * @param status what happened
 * @param failure why it failed, if it did
 * @param externalId what they call it, if they say so
 * @param attempt the attempt they speak of; empty for whichever is running
 * @param fence what the worker was given with the run; needed only while a worker has it on lease
 */
public record Report(
    Status status,
    Optional<Failure> failure,
    Optional<String> externalId,
    Optional<Integer> attempt,
    Optional<String> fence) {

  /** What can be reported. */
  public enum Status {
    /** The work has begun. */
    STARTED,
    /** The work is done. */
    SUCCEEDED,
    /** The work is not done; the run's retries decide what follows. */
    FAILED
  }

  public Report {
    if (failure.isPresent() != (status == Status.FAILED)) {
      throw new InvalidValueException("a report has a failure if and only if the work failed");
    }
    if (attempt.isPresent() && attempt.get() < 1) {
      throw new InvalidValueException("attempts count from 1; was " + attempt.get());
    }
    externalId = externalId.map(ExternalId::checked);
  }

  /** Report that the work has begun. */
  public static Report started() {
    return started(Optional.empty());
  }

  /** Report that the work has begun, and what it is called there, if known. */
  public static Report started(Optional<String> externalId) {
    return new Report(
        Status.STARTED, Optional.empty(), externalId, Optional.empty(), Optional.empty());
  }

  /** Report that the work is done. */
  public static Report succeeded() {
    return new Report(
        Status.SUCCEEDED, Optional.empty(), Optional.empty(), Optional.empty(), Optional.empty());
  }

  /** Report that the work failed. */
  public static Report failed(Failure failure) {
    return new Report(
        Status.FAILED, Optional.of(failure), Optional.empty(), Optional.empty(), Optional.empty());
  }

  /** Speak of this attempt alone: if another is running, the report changes nothing. */
  public Report forAttempt(int number) {
    return new Report(status, failure, externalId, Optional.of(number), fence);
  }

  /**
   * Tell whether {@code run} is as this report says: because the report was taken, now or before,
   * or because what it says is no news. Otherwise the run has taken another course.
   */
  public boolean agreesWith(Run run) {
    boolean current = attempt.filter(number -> number != run.attempt()).isEmpty();
    return switch (status) {
      case STARTED ->
          current
              && ((run.state() == RunState.RUNNING && isCalled(run))
                  || run.state() == RunState.SUCCEEDED);
      case SUCCEEDED -> current && run.state() == RunState.SUCCEEDED;
      case FAILED ->
          (current && (run.state() == RunState.CANCELED || isFailure(run.failure())))
              || failedBefore(run);
    };
  }

  private boolean isCalled(Run run) {
    return externalId.isEmpty() || externalId.equals(run.externalId());
  }

  private boolean failedBefore(Run run) {
    int last = run.attempts().stream().mapToInt(Attempt::number).max().orElse(0);
    return run.attempts().stream()
        .filter(earlier -> earlier.number() == attempt.orElse(last))
        .anyMatch(earlier -> isFailure(Optional.of(earlier.failure())));
  }

  private boolean isFailure(Optional<Failure> recorded) {
    return recorded.map(Failure::code).equals(failure.map(Failure::code));
  }

  /** Say what the run is called elsewhere. */
  public Report externalId(String id) {
    return new Report(status, failure, Optional.of(id), attempt, fence);
  }

  /** Prove that the worker that has the run on lease agrees, by what it was given. */
  public Report fence(String given) {
    return new Report(status, failure, externalId, attempt, Optional.of(given));
  }

  /* Without the fence, so that no log has it. */
  @Override
  public String toString() {
    return "Report[status=%s, failure=%s, externalId=%s, attempt=%s]"
        .formatted(status, failure, externalId, attempt);
  }
}
