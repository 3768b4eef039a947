package dev.carillon.time.business;

import dev.carillon.time.InvalidValueException;
import java.time.Duration;
import java.time.Instant;

/**
 * A stretch of time that is quiet once.
 *
 * @param from the first instant
 * @param until the first instant after it
 * @param reason why, in words
 */
public record Freeze(Instant from, Instant until, String reason) {
  /** The longest freeze accepted. */
  public static final Duration MAX_LENGTH = Duration.ofDays(366);

  static final int MAX_REASON = 500;

  public Freeze {
    if (reason.length() > MAX_REASON || reason.codePoints().anyMatch(Character::isISOControl)) {
      throw new InvalidValueException(
          "freezes",
          "the reason of a freeze is one line of at most %s characters".formatted(MAX_REASON));
    }
    if (!from.isBefore(until)) {
      throw new InvalidValueException(
          "freezes",
          "a freeze must end after it begins; was from %s until %s".formatted(from, until));
    }
    if (Duration.between(from, until).compareTo(MAX_LENGTH) > 0) {
      throw new InvalidValueException(
          "freezes",
          "a freeze lasts at most %s days; was from %s until %s"
              .formatted(MAX_LENGTH.toDays(), from, until));
    }
  }
}
