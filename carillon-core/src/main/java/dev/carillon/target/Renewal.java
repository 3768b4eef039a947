package dev.carillon.target;

import java.time.Instant;
import java.util.Optional;

/**
 * The answer to a worker that renewed a run.
 *
 * @param stop why to stop working on it; empty if all is well
 * @param reason more about that, for people
 * @param until when it is taken away, unless the worker renews again; empty if it is gone already
 */
public record Renewal(Optional<StopReason> stop, String reason, Optional<Instant> until) {
  /** Tell whether to go on with the work. */
  public boolean shouldContinue() {
    return stop.isEmpty();
  }
}
