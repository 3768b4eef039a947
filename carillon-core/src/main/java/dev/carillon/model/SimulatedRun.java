package dev.carillon.model;

import java.time.Instant;
import java.util.Optional;

/**
 * What would become of the run of a slot.
 *
 * @param slot the slot
 * @param dueAt when it is due
 * @param startedAt when it starts; empty if it does not
 * @param finishedAt when it ends
 * @param outcome how it ends
 * @param reason why it ends so, if it does not succeed, or what delayed it; may be empty
 */
public record SimulatedRun(
    Instant slot,
    Instant dueAt,
    Optional<Instant> startedAt,
    Instant finishedAt,
    Outcome outcome,
    String reason) {

  /** How a run ends. */
  public enum Outcome {
    /** It is assumed that it does its work. */
    SUCCEEDED,
    /** Its node is lost, and the schedule does not run it again. */
    FAILED,
    /** Another run of its schedule replaces it. */
    CANCELED,
    /** It does not start, because another run of its schedule is unfinished. */
    SKIPPED
  }
}
