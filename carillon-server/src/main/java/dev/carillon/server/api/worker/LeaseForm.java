package dev.carillon.server.api.worker;

import dev.carillon.model.Failure;
import dev.carillon.model.RunId;
import dev.carillon.server.api.RunRoutes;
import dev.carillon.server.read.JsonFields;
import dev.carillon.target.Completion;
import dev.carillon.target.Lease;
import dev.carillon.target.Outcome;
import dev.carillon.time.InvalidValueException;
import java.time.Duration;
import java.util.Optional;

/** How a worker names a run that it has, and says how it ended. */
final class LeaseForm {
  private static final int MAX_REASON = 1_000;
  private static final int MAX_FENCE = 200;

  private LeaseForm() {}

  /** How a run ended, in a word. */
  private enum Ending {
    SUCCEEDED,
    FAILED,
    CANCELED,
    INTERRUPTED,
    ACCEPTED
  }

  /** Return the lease that {@code fields} name; empty if something is wrong with them. */
  static Optional<Lease> read(JsonFields fields) {
    Optional<RunId> id =
        fields
            .needed("id", "say which run")
            .flatMap(
                text -> fields.tried("id", () -> RunId.parse(text).orElseThrow(LeaseForm::noId)));
    fields.require("attempt", "say which attempt, as it was claimed");
    Optional<Long> attempt = fields.whole("attempt", 1, Integer.MAX_VALUE);
    Optional<String> fence =
        fields.needed("fence", "prove the lease by the fence that came with the run");
    fence
        .filter(text -> text.isBlank() || text.length() > MAX_FENCE)
        .ifPresent(text -> fields.error("fence", "must be the fence that came with the run"));
    return fields.fine()
        ? id.flatMap(
            run ->
                attempt.flatMap(
                    number -> fence.map(proof -> new Lease(run, Math.toIntExact(number), proof))))
        : Optional.empty();
  }

  private static InvalidValueException noId() {
    return new InvalidValueException("this is no id of a run");
  }

  /** Return the completion in {@code fields}; empty if something is wrong with them. */
  static Optional<Completion> completion(JsonFields fields) {
    Optional<Lease> lease = read(fields);
    fields.require("outcome", "say how it ended: succeeded or failed");
    Optional<Ending> ending = fields.word("outcome", Ending.class);
    Optional<JsonFields> given = fields.object("failure");
    Optional<Failure> failure = given.flatMap(RunRoutes::failure);
    boolean retryable = fields.flag("retryable").orElse(true);
    Optional<Duration> retryAfter = fields.duration("retryAfter");
    Optional<String> reason = fields.text("reason").filter(text -> isShort(fields, text));
    Optional<String> externalId = fields.text("externalId");
    if (given.isPresent() && ending.isPresent() && ending.get() != Ending.FAILED) {
      fields.error("failure", "only a run that failed has a failure; leave it out");
    }
    Optional<Outcome> outcome =
        ending.flatMap(
            end ->
                switch (end) {
                  case SUCCEEDED -> Optional.of(Outcome.succeeded());
                  case FAILED ->
                      Optional.of(
                          new Outcome.Failed(
                              failure.orElseGet(() -> Failure.of("failed", "its worker says so")),
                              retryable,
                              retryAfter));
                  case CANCELED ->
                      Optional.of(new Outcome.Canceled(reason.orElse("given up by its worker")));
                  case INTERRUPTED ->
                      Optional.of(new Outcome.Interrupted(reason.orElse("its worker stopped")));
                  case ACCEPTED ->
                      fields.tried("externalId", () -> new Outcome.Accepted(externalId));
                });
    return lease.flatMap(held -> outcome.map(end -> new Completion(held, end)));
  }

  private static boolean isShort(JsonFields fields, String reason) {
    if (reason.isBlank() || reason.length() > MAX_REASON) {
      fields.error("reason", "has 1 to %s characters".formatted(MAX_REASON));
      return false;
    }
    return true;
  }
}
