package dev.carillon.target;

/** Why an attempt should end early. */
public enum StopReason {
  /** Somebody canceled the run, or a newer run replaces it. */
  CANCELED,
  /** It took longer than its timeout. */
  TIMEOUT,
  /** The node lost its lease: another node may have the run by now, and nothing counts any more. */
  FENCED,
  /** The node is stopping. */
  STOPPING
}
