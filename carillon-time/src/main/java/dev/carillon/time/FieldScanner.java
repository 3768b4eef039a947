package dev.carillon.time;

/** A scanner over the text of one field. */
final class FieldScanner {
  /** More than any field allows; larger numbers are read as this one, so that none overflows. */
  private static final int TOO_LARGE = 1_000_000;

  private final String text;
  private final CronField cronField;
  private final int end;
  private int at;

  FieldScanner(String text, CronField cronField, int begin, int end) {
    this.text = text;
    this.cronField = cronField;
    this.at = begin;
    this.end = end;
  }

  int at() {
    return at;
  }

  boolean atEnd() {
    return at == end;
  }

  /** Return whether a list item ends here. */
  boolean atItemEnd() {
    return at == end || text.charAt(at) == ',';
  }

  boolean sees(char c) {
    return at < end && text.charAt(at) == c;
  }

  private boolean atDigit() {
    return at < end && text.charAt(at) >= '0' && text.charAt(at) <= '9';
  }

  private boolean atLetter() {
    return at < end && isLetter(text.charAt(at));
  }

  /** Return the text from {@code begin} to here. */
  String since(int begin) {
    return text.substring(begin, at);
  }

  /** Skip {@code c} if it is the next character. */
  boolean skip(char c) {
    boolean seen = sees(c);
    if (seen) {
      at++;
    }
    return seen;
  }

  /** Read a value of the field: a number in range, or a name. */
  int value() {
    int from = at;
    if (atLetter()) {
      return name(from);
    }
    if (!atDigit()) {
      throw errors().invalidWord(from);
    }
    int number = digits();
    if (number < cronField.min || number > cronField.max) {
      throw errors().outOfRange(from, at);
    }
    return number;
  }

  /** Read a number; {@code what} and {@code hint} are for the error if there is none. */
  int number(String what, String hint) {
    if (!atDigit()) {
      throw errors().invalidNumber(at, what, hint);
    }
    return digits();
  }

  private int digits() {
    int number = 0;
    while (atDigit()) {
      number = Math.min(TOO_LARGE, number * 10 + text.charAt(at) - '0');
      at++;
    }
    return number;
  }

  private int name(int from) {
    while (at < end && isLetter(text.charAt(at)) && at - from < 3) {
      at++;
    }
    for (int i = 0; at - from == 3 && i < cronField.names.size(); i++) {
      if (text.regionMatches(true, from, cronField.names.get(i), 0, 3)) {
        return i + (cronField == CronField.MONTH ? 1 : 0);
      }
    }
    throw errors().invalidWord(from);
  }

  FieldSyntaxErrors errors() {
    return new FieldSyntaxErrors(text, cronField, end);
  }

  private static boolean isLetter(char c) {
    return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z');
  }
}
