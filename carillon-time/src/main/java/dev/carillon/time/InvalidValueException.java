package dev.carillon.time;

import java.util.Optional;

/**
 * Signals a value from a caller that is not valid; the message names the value and how to fix it.
 * Programming errors are a plain {@link IllegalArgumentException}.
 */
public class InvalidValueException extends IllegalArgumentException {
  private final Optional<String> field;

  /** Refuse a value. */
  public InvalidValueException(String message) {
    super(message);
    field = Optional.empty();
  }

  /** Refuse a value because of another failure. */
  public InvalidValueException(String message, Throwable cause) {
    super(message, cause);
    field = Optional.empty();
  }

  /** Refuse the field {@code field} of a value that has several. */
  public InvalidValueException(String field, String message) {
    super(message);
    this.field = Optional.of(field);
  }

  /** Return the name of the invalid field, if the value has several. */
  public final Optional<String> field() {
    return field;
  }
}
