package dev.carillon.model;

/** Whether a schedule fires. */
public enum ScheduleStatus {
  /** It fires. */
  ACTIVE,
  /** It does not fire until it is resumed. */
  PAUSED,
  /** It never fires again; its history stays. */
  RETIRED
}
