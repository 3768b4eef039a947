package dev.carillon.target;

import dev.carillon.model.RunId;
import dev.carillon.model.RunState;
import java.util.Optional;

/**
 * What came of a completion.
 *
 * @param id the run
 * @param answer whether it counted
 * @param state what the run is now; empty if it is unknown
 */
public record CompletionResult(RunId id, Answer answer, Optional<RunState> state) {
  /** Whether a completion counted. */
  public enum Answer {
    /** It is written, now or by an earlier call. */
    DONE,
    /** The run was taken away before, and nothing was changed. */
    FENCED,
    /** There is no such run. */
    UNKNOWN
  }
}
