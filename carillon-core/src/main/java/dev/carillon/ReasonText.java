package dev.carillon;

import dev.carillon.time.InvalidValueException;

/** The reason for canceling or dismissing a run, as the history keeps it. */
final class ReasonText {
  private static final int MAX_LENGTH = 1_000;

  private ReasonText() {}

  /** Return {@code reason} as it can be stored, or refuse it as one of {@code doing}. */
  static String of(String doing, String reason) {
    if (reason.isBlank() || reason.length() > MAX_LENGTH) {
      throw new InvalidValueException(
          "%s needs a reason of 1 to %s characters: it is shown to whoever wonders"
              .formatted(doing, MAX_LENGTH));
    }
    return reason.replace('\0', ' ');
  }
}
