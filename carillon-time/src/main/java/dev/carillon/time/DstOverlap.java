package dev.carillon.time;

/** Which passes of a repeated local time fire when clocks go back. */
public enum DstOverlap {
  /** Both for timings with a wildcard in second, minute or hour, else the first only. */
  AUTO,
  /** The first pass only. */
  FIRST,
  /** Both passes. */
  BOTH
}
