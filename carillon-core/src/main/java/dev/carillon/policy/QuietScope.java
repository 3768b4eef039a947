package dev.carillon.policy;

import dev.carillon.time.InvalidValueException;
import java.util.Optional;

/**
 * Which schedules keep quiet hours.
 *
 * @param kind how they are found
 * @param tag the tag they have, if they are found by that
 */
public record QuietScope(Kind kind, Optional<String> tag) {
  /** Schedules whose definition names the quiet hours. */
  public static final QuietScope NAMED = new QuietScope(Kind.NAMED, Optional.empty());

  /** All schedules. */
  public static final QuietScope EVERYTHING = new QuietScope(Kind.EVERYTHING, Optional.empty());

  /** How schedules are found. */
  public enum Kind {
    NAMED,
    TAG,
    EVERYTHING
  }

  public QuietScope {
    if ((kind == Kind.TAG) != tag.isPresent()) {
      throw new InvalidValueException(
          "tag", "a tag is given for quiet hours by tag, and only for those; was " + tag);
    }
  }

  /** Schedules with a tag. */
  public static QuietScope tag(String tag) {
    return new QuietScope(Kind.TAG, Optional.of(tag));
  }
}
