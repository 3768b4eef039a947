package dev.carillon.target;

import dev.carillon.model.Failure;

/** Why an attempt should end early. */
public enum StopReason {
  /** The run was canceled, or a newer run replaces it. */
  CANCELED,
  /** It took longer than its timeout. */
  TIMEOUT,
  /** The node lost its lease: another node may have the run by now, and nothing counts any more. */
  FENCED,
  /** The node is stopping. */
  STOPPING;

  /** Return the outcome of an attempt that ends early for this reason, with {@code message}. */
  public Outcome outcome(String message) {
    return switch (this) {
      case CANCELED -> new Outcome.Canceled(message);
      case TIMEOUT -> Outcome.failed(Failure.of("timeout", message));
      case FENCED, STOPPING -> new Outcome.Interrupted(message);
    };
  }
}
