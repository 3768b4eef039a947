package dev.carillon.model;

import dev.carillon.time.InvalidValueException;
import java.util.Optional;

/**
 * Why an attempt failed.
 *
 * @param code a short word to count and filter by, such as {@code timeout}
 * @param message one line for people
 * @param details more, such as a stack trace, if there is more
 */
public record Failure(String code, String message, Optional<String> details) {
  /** The longest code kept. */
  public static final int MAX_CODE = 100;

  /** The longest message kept. */
  public static final int MAX_MESSAGE = 2_000;

  /** The longest details kept. */
  public static final int MAX_DETAILS = 16_000;

  public Failure {
    if (code.isBlank()) {
      throw new InvalidValueException("a failure needs a code, such as 'timeout'");
    }
    code = kept(code, MAX_CODE);
    message = kept(message, MAX_MESSAGE);
    details = details.map(text -> kept(text, MAX_DETAILS));
  }

  /** Describe a failure in one line. */
  public static Failure of(String code, String message) {
    return new Failure(code, message, Optional.empty());
  }

  /* PostgreSQL stores no NUL and no half of a surrogate pair; neither may stop a failure from being
   * recorded. */
  private static String kept(String text, int longest) {
    String cut = text.length() <= longest ? text : text.substring(0, longest - 1) + "…";
    var clean = new StringBuilder(cut.length());
    cut.codePoints()
        .map(
            c ->
                c == 0 || (c >= Character.MIN_SURROGATE && c <= Character.MAX_SURROGATE)
                    ? 0xFFFD
                    : c)
        .forEach(clean::appendCodePoint);
    return clean.toString();
  }
}
