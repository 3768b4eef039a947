package dev.carillon.targets.workflow;

import dev.carillon.json.AsciiText;
import dev.carillon.model.RunId;
import dev.carillon.time.InvalidValueException;
import java.time.Instant;
import java.util.Optional;

/**
 * The user, planned time and ids of one launch of a workflow.
 *
 * @param userId the user for whom it is launched, if there is one
 * @param scheduledFor the planned time
 * @param idempotencyKey the same for every try of the launch, and unique to it
 * @param run the run to report on; empty if no run waits for a report
 * @param attempt which attempt of the run this is, from one
 */
public record LaunchContext(
    Optional<String> userId,
    Instant scheduledFor,
    String idempotencyKey,
    Optional<RunId> run,
    int attempt) {
  /** The length of the longest key. */
  public static final int MAX_KEY = 150;

  /* The key is sent as a header. */
  public LaunchContext {
    if (userId.filter(String::isBlank).isPresent()) {
      throw new InvalidValueException(
          "the id of a user must not be blank; leave it out if there is none");
    }
    if (!AsciiText.isVisible(idempotencyKey, 1, MAX_KEY)) {
      throw new InvalidValueException(
          "an idempotency key has 1 to %s plain ASCII characters and no blanks".formatted(MAX_KEY));
    }
  }

  /** Launch for {@code userId}, without a run to report on. */
  public static LaunchContext of(String userId, Instant scheduledFor, String idempotencyKey) {
    return new LaunchContext(
        Optional.of(userId), scheduledFor, idempotencyKey, Optional.empty(), 1);
  }
}
