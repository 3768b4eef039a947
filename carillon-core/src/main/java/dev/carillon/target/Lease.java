package dev.carillon.target;

import dev.carillon.model.RunId;

/**
 * What a worker shows to prove that a run is its own.
 *
 * @param id the run
 * @param attempt the attempt it was given, which no other worker was
 * @param fence who was given it; empty if only the attempt is known
 */
public record Lease(RunId id, int attempt, String fence) {
  /** Prove it by the attempt alone. */
  public Lease(RunId id, int attempt) {
    this(id, attempt, "");
  }
}
