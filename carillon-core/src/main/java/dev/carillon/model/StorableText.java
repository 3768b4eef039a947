package dev.carillon.model;

import java.util.Optional;

/** Tells which texts PostgreSQL can hold: those without NUL and without half a surrogate pair. */
public final class StorableText {
  private StorableText() {}

  /** Tell whether {@code text} can be stored, and so may be found. */
  public static boolean is(String text) {
    return text.codePoints()
        .noneMatch(c -> c == 0 || (c >= Character.MIN_SURROGATE && c <= Character.MAX_SURROGATE));
  }

  static void check(String what, Optional<String> text) {
    if (text.isPresent() && !is(text.get())) {
      throw new IllegalArgumentException(
          what + " must not hold \\u0000 or half of a surrogate pair; nothing stored has them");
    }
  }
}
