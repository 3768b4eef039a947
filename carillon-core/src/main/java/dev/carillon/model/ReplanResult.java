package dev.carillon.model;

/**
 * How far schedules were planned anew after a change of a calendar or of quiet hours.
 *
 * @param runs how many runs that were planned were taken back, moved or dropped so far
 * @param done whether all schedules concerned were; if not, the nodes go on with the rest
 */
public record ReplanResult(long runs, boolean done) {
  /** There was nothing to plan anew. */
  public static final ReplanResult NOTHING = new ReplanResult(0, true);

  /** All is left to the nodes. */
  public static final ReplanResult LATER = new ReplanResult(0, false);
}
