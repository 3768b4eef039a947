package dev.carillon.time;

/** What happens to slots at local times that do not exist because clocks go forward. */
public enum DstGap {
  /** Fire once, right after the gap; timings that fire every hour are not affected. */
  FIRE_AFTER,
  /** Do not fire. */
  SKIP
}
