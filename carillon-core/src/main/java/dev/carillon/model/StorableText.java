package dev.carillon.model;

import dev.carillon.json.Json;
import dev.carillon.time.InvalidValueException;
import java.util.Optional;

/**
 * Tells which texts can be looked for: those that are not empty, and that PostgreSQL can hold,
 * since they have neither NUL nor half a surrogate pair.
 */
public final class StorableText {
  private StorableText() {}

  /** Tell whether {@code text} can be stored, and so may be found. */
  public static boolean is(String text) {
    return Json.isStorable(text);
  }

  /* An empty text is an unset variable rather than a wish for everything. */
  static void check(String what, Optional<String> text) {
    if (text.isPresent() && text.get().isBlank()) {
      throw new InvalidValueException(
          what + " must not be empty; leave it out if it does not matter");
    }
    checkStorable(what, text);
  }

  static void checkStorable(String what, Optional<String> text) {
    if (text.isPresent() && !is(text.get())) {
      throw new InvalidValueException(
          what + " must not hold \\u0000 or half of a surrogate pair; nothing stored has them");
    }
  }
}
