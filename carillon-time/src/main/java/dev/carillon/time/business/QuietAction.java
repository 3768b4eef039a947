package dev.carillon.time.business;

/** What becomes of runs that would be due in quiet hours. */
public enum QuietAction {
  /** The slot becomes no run. */
  SKIP,
  /** Each run is due after the end, in the order of their due times, so that each stays a run. */
  DEFER,
  /** All of them are due at the end: one run. */
  COALESCE
}
