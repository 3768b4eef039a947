package dev.carillon.policy;

/** From where the distance between two runs of an interval is measured. */
public enum Pacing {
  /** From slot to slot, on a fixed grid, however long runs take. */
  SLOT,
  /** From the end of one run to the next slot, so that runs never meet. */
  FINISH
}
