package dev.carillon.model;

/** What caused a run. */
public enum Trigger {
  /** A slot of its schedule. */
  SCHEDULED,
  /** Somebody who asked for it to run now. */
  MANUAL,
  /** A request without a schedule. */
  AD_HOC,
  /** A request to make up for a past slot. */
  BACKFILL
}
