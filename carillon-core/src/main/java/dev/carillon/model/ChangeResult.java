package dev.carillon.model;

/**
 * What came of a request to change a schedule.
 *
 * @param schedule the schedule as it stands now
 * @param change what was done to it
 */
public record ChangeResult(Schedule schedule, Change change) {

  /** What was done to a schedule. */
  public enum Change {
    /** It is new. */
    CREATED,
    /** It has a new definition. */
    NEW_VERSION,
    /** It is paused, or paused for another reason or time. */
    PAUSED,
    /** It will be paused, or for another reason or time. */
    PAUSE_PLANNED,
    /** It fires again, or goes on without the pause that was to come. */
    RESUMED,
    /** It never fires again. */
    RETIRED,
    /** It had no slot left to resume for, and is retired. */
    COMPLETED,
    /** Nothing: it was like that already, or is retired. */
    UNCHANGED,
    /** Nothing: its key was taken. */
    TAKEN,
    /** Nothing: its version is not the one that was expected. */
    STALE
  }
}
