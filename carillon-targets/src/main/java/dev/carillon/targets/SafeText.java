package dev.carillon.targets;

/** Escapes and truncates untrusted text for logs, terminals and pages. */
public final class SafeText {
  private SafeText() {}

  /** Return {@code text} in one line of at most {@code longest} characters. */
  public static String line(String text, int longest) {
    return truncate(escaped(text, false), longest);
  }

  /**
   * Return {@code text} with its line breaks and tabs kept, in at most {@code longest} characters.
   */
  public static String text(String text, int longest) {
    return truncate(escaped(text.replace("\r\n", "\n"), true), longest);
  }

  private static String truncate(String text, int longest) {
    if (text.length() <= longest) {
      return text;
    }
    int end = longest - 1;
    return text.substring(0, Character.isHighSurrogate(text.charAt(end - 1)) ? end - 1 : end) + "…";
  }

  private static String escaped(String text, boolean keepLines) {
    var out = new StringBuilder(text.length());
    text.codePoints()
        .forEach(
            c -> {
              if (keepLines && (c == '\n' || c == '\t')) {
                out.append((char) c);
              } else if (isHarmful(c)) {
                out.append("\\u{").append(Integer.toHexString(c)).append('}');
              } else {
                out.appendCodePoint(c);
              }
            });
    return out.toString();
  }

  /* Control characters move a terminal's cursor, format characters reverse the text direction, and
   * line separators forge log lines. */
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
