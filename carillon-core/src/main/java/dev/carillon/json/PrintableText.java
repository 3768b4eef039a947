package dev.carillon.json;

import java.util.stream.Collectors;

/**
 * Text from elsewhere as a terminal, a line of a log or a page can show it: what could steer a
 * terminal, forge a line or make one text look like another is escaped as in JSON.
 *
 * <p>Letters of every script and emoji stay as they are, also what joins them (U+200C, U+200D).
 */
public final class PrintableText {
  private PrintableText() {}

  /** Return {@code text} in one line. */
  public static String line(String text) {
    return escaped(text, "");
  }

  /** Return {@code text} with its line breaks and tabs. */
  public static String lines(String text) {
    return escaped(text, "\n\t");
  }

  /**
   * Return {@code text} with its line breaks, and a tab at the beginning of each line, so that none
   * of them passes for another line of a log.
   */
  public static String indented(String text) {
    return lines(text)
        .lines()
        .map(line -> line.startsWith("\t") ? line : "\t" + line)
        .collect(Collectors.joining("\n"));
  }

  /**
   * Return {@code text}, which is JSON, such that it means the same: what is escaped can only be in
   * its strings.
   */
  public static String json(String text) {
    return escaped(text, "\n\t\r");
  }

  /** Tell whether {@code point} only shows itself. */
  public static boolean isPrintable(int point) {
    if (point < 0x7F) {
      return point >= ' ';
    }
    return !(point <= 0x9F // DEL and C1
        || point == 0x061C
        || (point >= 0x200B && point <= 0x200F && point != 0x200C && point != 0x200D)
        || (point >= 0x2028 && point <= 0x202E) // lines, paragraphs, directions
        || (point >= 0x2060 && point <= 0x206F) // invisible, directions
        || (point >= Character.MIN_SURROGATE && point <= Character.MAX_SURROGATE) // half a pair
        || point == 0xFEFF
        || (point >= 0xFFF9 && point <= 0xFFFB) // annotations
        || (point >= 0xE0000 && point <= 0xE007F)); // a second, invisible ASCII
  }

  /** Tell whether {@link #line} returns {@code text} as it is. */
  public static boolean isPrintable(String text) {
    return firstEscaped(text, "") == text.length();
  }

  private static int firstEscaped(String text, String kept) {
    int at = 0;
    while (at < text.length()) {
      int point = text.codePointAt(at);
      if (!isPrintable(point) && kept.indexOf(point) < 0) {
        return at;
      }
      at += Character.charCount(point);
    }
    return at;
  }

  private static String escaped(String text, String kept) {
    int at = firstEscaped(text, kept);
    if (at == text.length()) {
      return text;
    }
    var out = new StringBuilder(text.length() + 32).append(text, 0, at);
    while (at < text.length()) {
      int point = text.codePointAt(at);
      if (isPrintable(point) || kept.indexOf(point) >= 0) {
        out.appendCodePoint(point);
      } else {
        escape(point, out);
      }
      at += Character.charCount(point);
    }
    return out.toString();
  }

  static void escape(int point, StringBuilder out) {
    switch (point) {
      case '\n' -> out.append("\\n");
      case '\r' -> out.append("\\r");
      case '\t' -> out.append("\\t");
      default -> {
        for (char unit : Character.toChars(point)) {
          out.append("\\u");
          for (int shift = 12; shift >= 0; shift -= 4) {
            out.append(Character.forDigit((unit >> shift) & 0xF, 16));
          }
        }
      }
    }
  }
}
