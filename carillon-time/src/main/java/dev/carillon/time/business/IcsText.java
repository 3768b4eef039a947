package dev.carillon.time.business;

import java.nio.charset.StandardCharsets;

/** Escapes and folds texts of iCalendar files. */
final class IcsText {
  private static final int MAX_OCTETS = 75;

  private IcsText() {}

  /** Return an escaped text as the name of a day: on one line, not too long. */
  static String name(String escaped) {
    var text = new StringBuilder();
    for (int i = 0; i < escaped.length(); i++) {
      char c = escaped.charAt(i);
      if (c == '\\' && i + 1 < escaped.length()) {
        i++;
        char next = escaped.charAt(i);
        text.append(next == 'n' || next == 'N' ? ' ' : next);
      } else {
        text.append(c);
      }
    }
    return printable(text);
  }

  private static String printable(CharSequence text) {
    var clean = new StringBuilder();
    text.codePoints()
        .map(point -> isPrintable(point) ? point : ' ')
        .filter(point -> point != ' ' || !endsWithSpace(clean))
        .forEach(
            point -> {
              if (clean.length() < CalendarCheck.MAX_NAME - 1) {
                clean.appendCodePoint(point);
              }
            });
    return clean.toString().strip();
  }

  private static boolean isPrintable(int point) {
    return switch (Character.getType(point)) {
      case Character.CONTROL,
          Character.LINE_SEPARATOR,
          Character.PARAGRAPH_SEPARATOR,
          Character.SURROGATE ->
          false;
      default -> true;
    };
  }

  private static boolean endsWithSpace(StringBuilder text) {
    return text.isEmpty() || text.charAt(text.length() - 1) == ' ';
  }

  static String escape(String text) {
    return text.replace("\\", "\\\\").replace(";", "\\;").replace(",", "\\,").replace("\n", "\\n");
  }

  /** Append {@code line}, folded so that no line has more than 75 octets. */
  static void appendFolded(StringBuilder file, String line) {
    int octets = 0;
    for (int i = 0; i < line.length(); ) {
      int point = line.codePointAt(i);
      String sign = Character.toString(point);
      int more = sign.getBytes(StandardCharsets.UTF_8).length;
      if (octets + more > MAX_OCTETS) {
        file.append("\r\n ");
        octets = 1;
      }
      file.append(sign);
      octets += more;
      i += sign.length();
    }
    file.append("\r\n");
  }
}
