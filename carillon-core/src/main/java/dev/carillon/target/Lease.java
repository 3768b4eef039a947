package dev.carillon.target;

import dev.carillon.model.RunId;
import dev.carillon.time.InvalidValueException;

/**
 * What a worker shows to prove that a run is its own.
 *
 * @param id the run
 * @param attempt the attempt it was given, which no other worker was
 * @param fence the secret that came with the run, which only its worker knows
 */
public record Lease(RunId id, int attempt, String fence) {
  public Lease {
    if (fence.isBlank()) {
      throw new InvalidValueException("a lease is proved by its fence, as it was claimed");
    }
  }

  /* Without the fence, so that no log has it. */
  @Override
  public String toString() {
    return "Lease[id=%s, attempt=%s]".formatted(id, attempt);
  }
}
