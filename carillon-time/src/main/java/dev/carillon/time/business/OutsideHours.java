package dev.carillon.time.business;

/** What becomes of a due time on a business day that is outside of working hours. */
public enum OutsideHours {
  /** Nothing: any time of a business day will do. */
  ALLOW,
  /** The slot becomes no run. */
  SKIP,
  /** The run is due when working hours begin again. */
  DEFER
}
