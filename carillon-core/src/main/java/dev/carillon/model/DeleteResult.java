package dev.carillon.model;

import java.util.List;

/**
 * What came of a request to delete a calendar or quiet hours.
 *
 * @param outcome what was done
 * @param users who uses it, if that is why it was not deleted
 * @param shift what that does to slots to come
 * @param replan how far the schedules concerned were planned anew when the answer was given
 */
public record DeleteResult(Outcome outcome, Users users, SlotShift shift, ReplanResult replan) {

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
    return of(outcome, new Users(0, List.of(), List.of()));
  }

  /** Return the result of what is in use. */
  public static DeleteResult inUse(Users users) {
    return of(Outcome.IN_USE, users);
  }

  private static DeleteResult of(Outcome outcome, Users users) {
    return new DeleteResult(outcome, users, SlotShift.NONE, ReplanResult.NOTHING);
  }

  /** Return this with what it does to slots to come. */
  public DeleteResult shifting(SlotShift slots) {
    return new DeleteResult(outcome, users, slots, replan);
  }

  /** Return this with how far schedules were planned anew. */
  public DeleteResult replanned(ReplanResult done) {
    return new DeleteResult(outcome, users, shift, done);
  }
}
