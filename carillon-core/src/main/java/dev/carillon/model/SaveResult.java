package dev.carillon.model;

/**
 * What came of a request to save something that has versions, such as a calendar.
 *
 * @param current what there is now
 * @param change what was done
 * @param shift what that does to slots to come
 * @param replan how far the schedules concerned were planned anew when the answer was given
 * @param <T> a version of it
 */
public record SaveResult<T>(T current, Change change, SlotShift shift, ReplanResult replan) {

  /** What saving did. */
  public enum Change {
    /** It is new. */
    CREATED,
    /** It has a new version. */
    NEW_VERSION,
    /** Nothing: it was like that already. */
    UNCHANGED,
    /** Nothing: its version is not the one that was expected. */
    STALE
  }

  /** Return a result that concerns no schedule. */
  public static <T> SaveResult<T> of(T current, Change change) {
    return new SaveResult<>(current, change, SlotShift.NONE, ReplanResult.NOTHING);
  }

  /** Return this with what it does to slots to come. */
  public SaveResult<T> shifting(SlotShift slots) {
    return new SaveResult<>(current, change, slots, replan);
  }

  /** Return this with how far schedules were planned anew. */
  public SaveResult<T> replanned(ReplanResult done) {
    return new SaveResult<>(current, change, shift, done);
  }
}
