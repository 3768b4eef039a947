package dev.carillon.json;

import java.util.OptionalLong;

/**
 * What short texts of clients consist of. They are read character by character and not by regular
 * expressions, so that the time is known whatever they hold.
 */
public final class AsciiText {
  private static final int MAX_DIGITS = 18;
  private static final int UUID_LENGTH = 36;

  private AsciiText() {}

  /** Return the whole number that {@code text} is, if it has 1 to {@code most} digits only. */
  public static OptionalLong number(String text, int most) {
    if (most > MAX_DIGITS) {
      throw new IllegalArgumentException("a long holds any number of 18 digits; was " + most);
    }
    return has(text, 1, most) && text.chars().allMatch(AsciiText::isDigit)
        ? OptionalLong.of(Long.parseLong(text))
        : OptionalLong.empty();
  }

  /** Tell whether {@code text} has {@code least} to {@code most} visible characters only. */
  public static boolean isVisible(String text, int least, int most) {
    return has(text, least, most) && text.chars().allMatch(c -> c > ' ' && c < 0x7F);
  }

  /** Tell whether {@code text} is a UUID, written in full. */
  public static boolean isUuid(String text) {
    if (text.length() != UUID_LENGTH) {
      return false;
    }
    for (int i = 0; i < UUID_LENGTH; i++) {
      boolean hyphen = i == 8 || i == 13 || i == 18 || i == 23;
      if (hyphen ? text.charAt(i) != '-' : !isHexDigit(text.charAt(i))) {
        return false;
      }
    }
    return true;
  }

  private static boolean has(String text, int least, int most) {
    return text.length() >= least && text.length() <= most;
  }

  public static boolean isDigit(int c) {
    return c >= '0' && c <= '9';
  }

  public static boolean isHexDigit(int c) {
    return isDigit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
  }

  public static boolean isLetterOrDigit(int c) {
    return isDigit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
  }
}
