package dev.carillon.cli.console;

import dev.carillon.json.PrintableText;

/** Texts from elsewhere, made harmless for a terminal and measured as one shows them. */
public final class TerminalText {
  private TerminalText() {}

  /** Return {@code text} on one line, with whatever could steer a terminal made visible. */
  public static String line(String text) {
    return PrintableText.line(text);
  }

  /** Count the columns that {@code text} takes. */
  public static int width(String text) {
    return text.codePoints().map(TerminalText::width).sum();
  }

  /** Return as much of {@code text} as fits, with an ellipsis if that is not all. */
  public static String fit(String text, int columns) {
    if (width(text) <= columns) {
      return text;
    }
    var kept = new StringBuilder();
    int left = columns - 1;
    for (int point : text.codePoints().toArray()) {
      left -= width(point);
      if (left < 0) {
        break;
      }
      kept.appendCodePoint(point);
    }
    return kept.append('…').toString();
  }

  /** Return {@code text} with blanks behind it, up to {@code columns}. */
  public static String pad(String text, int columns) {
    return text + " ".repeat(Math.max(0, columns - width(text)));
  }

  private static int width(int point) {
    int type = Character.getType(point);
    if (type == Character.NON_SPACING_MARK
        || type == Character.ENCLOSING_MARK
        || type == Character.FORMAT) {
      return 0;
    }
    return isWide(point) ? 2 : 1;
  }

  private static boolean isWide(int point) {
    return (point >= 0x1100 && point <= 0x115F)
        || (point >= 0x2E80 && point <= 0xA4CF)
        || (point >= 0xAC00 && point <= 0xD7A3)
        || (point >= 0xF900 && point <= 0xFAFF)
        || (point >= 0xFE30 && point <= 0xFE6F)
        || (point >= 0xFF00 && point <= 0xFF60)
        || (point >= 0x1F300 && point <= 0x1FAFF)
        || (point >= 0x20000 && point <= 0x3FFFD);
  }
}
