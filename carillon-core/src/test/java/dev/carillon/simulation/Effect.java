package dev.carillon.simulation;

import dev.carillon.model.RunId;
import java.time.Instant;
import java.util.UUID;

/**
 * Something a handler did, as the world outside the store saw it.
 *
 * @param run the run it worked on
 * @param attempt which try
 * @param node where
 * @param at when, by the database's clock
 * @param dueAt when the run was due, as the handler was told
 * @param what what it did
 */
public record Effect(RunId run, int attempt, UUID node, Instant at, Instant dueAt, What what) {
  /** What a handler did. */
  public enum What {
    /** It was called. */
    STARTED,
    /** It left the work to somebody else, and its node knows. */
    ACCEPTED,
    /** Its work was done. */
    FINISHED,
    /** It gave up. */
    FAILED
  }
}
