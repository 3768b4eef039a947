package dev.carillon.targets;

import dev.carillon.json.PrintableText;

/** Escapes and truncates untrusted text for logs, terminals and pages. */
public final class SafeText {
  private SafeText() {}

  /** Return {@code text} in one line of at most {@code longest} characters. */
  public static String line(String text, int longest) {
    return truncate(PrintableText.line(text), longest);
  }

  /**
   * Return {@code text} with its line breaks and tabs kept, in at most {@code longest} characters.
   */
  public static String text(String text, int longest) {
    return truncate(PrintableText.lines(text.replace("\r\n", "\n")), longest);
  }

  private static String truncate(String text, int longest) {
    if (text.length() <= longest) {
      return text;
    }
    int end = longest - 1;
    return text.substring(0, Character.isHighSurrogate(text.charAt(end - 1)) ? end - 1 : end) + "…";
  }
}
