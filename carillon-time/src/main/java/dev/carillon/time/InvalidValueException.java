package dev.carillon.time;

import java.util.Optional;

/**
 * A value that a caller gave and that cannot be accepted; the message names the value and the cure.
 * What a program does wrong by itself is a plain {@link IllegalArgumentException}.
 */
public class InvalidValueException extends IllegalArgumentException {
  private final Optional<String> field;

  /** Refuse the value that was just given. */
  public InvalidValueException(String message) {
    super(message);
    field = Optional.empty();
  }

  /** Refuse the value that was just given, for a reason that something else found. */
  public InvalidValueException(String message, Throwable cause) {
    super(message, cause);
    field = Optional.empty();
  }

  /** Refuse the field called {@code field} of something that was given as a whole. */
  public InvalidValueException(String field, String message) {
    super(message);
    this.field = Optional.of(field);
  }

  /** Return the name of the field that is wrong, if the value has several. */
  public final Optional<String> field() {
    return field;
  }
}
