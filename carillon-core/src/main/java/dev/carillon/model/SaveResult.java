package dev.carillon.model;

/**
 * What came of a request to save something that has versions, such as a calendar.
 *
 * @param current what there is now
 * @param change what was done
 * @param <T> a version of it
 */
public record SaveResult<T>(T current, Change change) {

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
}
