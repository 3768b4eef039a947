package dev.carillon.target;

import dev.carillon.model.Failure;
import java.util.Optional;

/**
 * What a target knows of a run whose node was lost.
 *
 * @param state how far the work is
 * @param failure why it failed, if it did
 */
public record Probe(State state, Optional<Failure> failure) {
  /** How far the work of a run is. */
  public enum State {
    /** It is done. */
    SUCCEEDED,
    /** It is over, and failed. */
    FAILED,
    /** It goes on, and its end will be reported. */
    RUNNING,
    /** The target does not know. */
    UNKNOWN
  }

  /** The work is done. */
  public static Probe succeeded() {
    return new Probe(State.SUCCEEDED, Optional.empty());
  }

  /** The work failed. */
  public static Probe failed(Failure failure) {
    return new Probe(State.FAILED, Optional.of(failure));
  }

  /** The work goes on, and its end will be reported. */
  public static Probe running() {
    return new Probe(State.RUNNING, Optional.empty());
  }

  /** Nothing is known: the run is left to its recovery. */
  public static Probe unknown() {
    return new Probe(State.UNKNOWN, Optional.empty());
  }
}
