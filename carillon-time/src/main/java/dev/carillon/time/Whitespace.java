package dev.carillon.time;

/** Normalizes the white space of an expression: none around it, one blank between fields. */
final class Whitespace {
  private Whitespace() {}

  static String normalize(String text) {
    int length = text.length();
    boolean clean = length == 0 || (text.charAt(0) != ' ' && text.charAt(length - 1) != ' ');
    for (int i = 0; clean && i < length; i++) {
      char c = text.charAt(i);
      clean = c != '\t' && (c != ' ' || text.charAt(i - 1) != ' ');
    }
    return clean ? text : squeeze(text);
  }

  private static String squeeze(String text) {
    var squeezed = new StringBuilder(text.length());
    boolean blank = true;
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c != ' ' && c != '\t') {
        squeezed.append(c);
        blank = false;
      } else if (!blank) {
        squeezed.append(' ');
        blank = true;
      }
    }
    int end = squeezed.length();
    return end > 0 && blank ? squeezed.substring(0, end - 1) : squeezed.toString();
  }
}
