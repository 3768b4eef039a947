package dev.carillon.time;

/** What becomes of slots at local times that the spring change of clocks leaves out. */
public enum DstGap {
  /** Fire once, at the first instant after the gap; timings of every hour just go on. */
  FIRE_AFTER,
  /** Do not fire. */
  SKIP
}
