package dev.carillon.time;

/** Which of two passes through the same local time fire when clocks go back. */
public enum DstOverlap {
  /**
   * Both for timings with a wildcard in second, minute or hour, which keep their beat; else the
   * first.
   */
  AUTO,
  /** The first pass only. */
  FIRST,
  /** Both passes. */
  BOTH
}
