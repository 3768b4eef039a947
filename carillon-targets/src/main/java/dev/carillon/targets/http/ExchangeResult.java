package dev.carillon.targets.http;

import dev.carillon.target.Outcome;
import java.time.Instant;
import java.util.Optional;

/** The result of a request: a response, or a failure without one. */
sealed interface ExchangeResult {
  /** Return the outcome that this means for a run. */
  Outcome outcome(Redaction redaction, Instant now);

  /** Return the HTTP status, if there was a response. */
  default Optional<Integer> status() {
    return Optional.empty();
  }

  /** Return whether the endpoint answered 410: it wants no more messages. */
  default boolean isGone() {
    return status().equals(Optional.of(ResponseRules.GONE));
  }

  /** The endpoint answered. */
  record Answered(EndpointResponse response) implements ExchangeResult {
    @Override
    public Outcome outcome(Redaction redaction, Instant now) {
      EndpointResponse shown = redaction.hidden(response);
      return ResponseRules.outcome(shown, redaction.call(), redaction.details(shown), now);
    }

    @Override
    public Optional<Integer> status() {
      return Optional.of(response.status());
    }
  }

  /**
   * The response was missing or incomplete.
   *
   * @param sent whether the endpoint may have received the whole request
   */
  record Broken(Throwable cause, boolean sent) implements ExchangeResult {
    @Override
    public Outcome outcome(Redaction redaction, Instant now) {
      return TransportError.outcome(cause, redaction);
    }
  }
}
