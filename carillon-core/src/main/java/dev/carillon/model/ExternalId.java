package dev.carillon.model;

import dev.carillon.time.InvalidValueException;

/** Tells which names for a run, given by those who accepted it, are kept. */
public final class ExternalId {
  /** The longest kept. */
  public static final int MAX_LENGTH = 500;

  private ExternalId() {}

  /** Return {@code id}, or refuse it. */
  public static String checked(String id) {
    if (id.isBlank() || id.length() > MAX_LENGTH) {
      throw new InvalidValueException(
          "an external id has 1 to %s characters; this one has %s"
              .formatted(MAX_LENGTH, id.isBlank() ? "none but blanks" : id.length()));
    }
    if (!StorableText.is(id)) {
      throw new InvalidValueException(
          "an external id must not hold \\u0000 or half of a surrogate pair; remove them");
    }
    return id;
  }
}
