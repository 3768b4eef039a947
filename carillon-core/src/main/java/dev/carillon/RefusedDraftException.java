package dev.carillon;

import dev.carillon.time.InvalidValueException;

/** One draft of several that was refused, so that none of them was stored. */
public final class RefusedDraftException extends InvalidValueException {
  private final String key;

  RefusedDraftException(String key, InvalidValueException cause) {
    super(String.valueOf(cause.getMessage()), cause);
    this.key = key;
  }

  /** Return the key of the draft. */
  public String key() {
    return key;
  }
}
