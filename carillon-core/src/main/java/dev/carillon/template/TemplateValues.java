package dev.carillon.template;

import dev.carillon.model.Run;
import java.time.Instant;
import java.time.ZoneId;
import java.util.Optional;

/**
 * What placeholders stand for in one attempt of a run.
 *
 * @param slot the planned time
 * @param due when the run was due
 * @param zone whose calendar moves and writes dates
 * @param key the key of the schedule; empty for an ad-hoc run
 * @param run the id of the run
 * @param idempotencyKey the same for every attempt of the run
 * @param attempt which try it is, from one
 */
public record TemplateValues(
    Instant slot,
    Instant due,
    ZoneId zone,
    Optional<String> key,
    String run,
    String idempotencyKey,
    int attempt) {
  /** Return the values of the attempt that {@code run} is at; of its first, if there was none. */
  public static TemplateValues of(Run run, ZoneId zone) {
    return new TemplateValues(
        run.slot(),
        run.dueAt(),
        zone,
        run.schedule(),
        run.id().toString(),
        run.idempotencyKey(),
        Math.max(1, run.attempt()));
  }
}
