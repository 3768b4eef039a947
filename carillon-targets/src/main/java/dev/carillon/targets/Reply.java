package dev.carillon.targets;

import dev.carillon.target.Outcome;
import java.time.Instant;
import java.util.Optional;

/** The result of a request: a response, or a failure without one. */
sealed interface Reply {
  /** Return the outcome that this means for a run. */
  Outcome outcome(Discretion discretion, Instant now);

  /** Return the HTTP status, if there was a response. */
  default Optional<Integer> status() {
    return Optional.empty();
  }

  /** Return whether the endpoint answered 410: it wants no more messages. */
  default boolean isGone() {
    return status().equals(Optional.of(AnswerRules.GONE));
  }

  /** The endpoint answered. */
  record Answered(Answer answer) implements Reply {
    @Override
    public Outcome outcome(Discretion discretion, Instant now) {
      return AnswerRules.outcome(answer, discretion.call(), discretion.details(answer), now);
    }

    @Override
    public Optional<Integer> status() {
      return Optional.of(answer.status());
    }
  }

  /**
   * The response was missing or incomplete.
   *
   * @param sent whether the endpoint may have received the whole request
   */
  record Broken(Throwable cause, boolean sent) implements Reply {
    @Override
    public Outcome outcome(Discretion discretion, Instant now) {
      return Trouble.outcome(cause, discretion.call());
    }
  }
}
