package dev.carillon.policy;

/** What becomes of a run whose node died or was stopped while it ran. */
public enum Recovery {
  /** Run it again on another node: its work is done at least once. */
  RESUBMIT,
  /** Fail it: with no retries, its work is done at most once. */
  FAIL
}
