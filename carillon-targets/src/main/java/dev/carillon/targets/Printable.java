package dev.carillon.targets;

/** Makes text that others wrote safe to show in a log, on a terminal or on a page. */
final class Printable {
  private Printable() {}

  /** Return {@code text} in one line of at most {@code longest} characters. */
  static String line(String text, int longest) {
    return cut(escaped(text, false), longest);
  }

  /**
   * Return {@code text} with its line breaks and tabs kept, in at most {@code longest} characters.
   */
  static String text(String text, int longest) {
    return cut(escaped(text.replace("\r\n", "\n"), true), longest);
  }

  private static String cut(String text, int longest) {
    if (text.length() <= longest) {
      return text;
    }
    int end = longest - 1;
    return text.substring(0, Character.isHighSurrogate(text.charAt(end - 1)) ? end - 1 : end) + "…";
  }

  private static String escaped(String text, boolean lines) {
    var out = new StringBuilder(text.length());
    text.codePoints()
        .forEach(
            c -> {
              if (lines && (c == '\n' || c == '\t')) {
                out.append((char) c);
              } else if (isHarmful(c)) {
                out.append("\\u{").append(Integer.toHexString(c)).append('}');
              } else {
                out.appendCodePoint(c);
              }
            });
    return out.toString();
  }

  /* Controls move a terminal's cursor; format characters turn the direction of what follows; line
   * separators forge lines of a log. */
  private static boolean isHarmful(int c) {
    return switch (Character.getType(c)) {
      case Character.CONTROL,
          Character.FORMAT,
          Character.SURROGATE,
          Character.LINE_SEPARATOR,
          Character.PARAGRAPH_SEPARATOR ->
          true;
      default -> false;
    };
  }
}
