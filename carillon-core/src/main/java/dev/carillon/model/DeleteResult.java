package dev.carillon.model;

import java.util.List;

/**
 * What came of a request to delete a calendar or quiet hours.
 *
 * @param outcome what was done
 * @param users who uses it, if that is why it was not deleted
 */
public record DeleteResult(Outcome outcome, Users users) {

  /** What a deletion did. */
  public enum Outcome {
    /** It is deleted; its versions stay. */
    DELETED,
    /** Nothing: there is none. */
    UNKNOWN,
    /** Nothing: its version is not the one that was expected. */
    STALE,
    /** Nothing: it is in use. */
    IN_USE
  }

  /** Return a result without users. */
  public static DeleteResult of(Outcome outcome) {
    return new DeleteResult(outcome, new Users(0, List.of(), List.of()));
  }

  /** Return the result of what is in use. */
  public static DeleteResult inUse(Users users) {
    return new DeleteResult(Outcome.IN_USE, users);
  }
}
