package dev.carillon.time;

/** A place in the text of one field, moving forward. */
final class Scan {
  /** More than any field allows, so that larger numbers need not be told apart. */
  private static final int TOO_LARGE = 1_000_000;

  private final String text;
  private final Field field;
  private final int end;
  private int at;

  Scan(String text, Field field, int begin, int end) {
    this.text = text;
    this.field = field;
    this.at = begin;
    this.end = end;
  }

  int at() {
    return at;
  }

  boolean atEnd() {
    return at == end;
  }

  /** Tell whether a list item ends here. */
  boolean atItemEnd() {
    return at == end || text.charAt(at) == ',';
  }

  boolean sees(char c) {
    return at < end && text.charAt(at) == c;
  }

  private boolean seesDigit() {
    return at < end && text.charAt(at) >= '0' && text.charAt(at) <= '9';
  }

  private boolean seesLetter() {
    return at < end && isLetter(text.charAt(at));
  }

  /** Return the text from {@code begin} to here. */
  String since(int begin) {
    return text.substring(begin, at);
  }

  /** Step over {@code c} if it stands here. */
  boolean skip(char c) {
    boolean seen = sees(c);
    if (seen) {
      at++;
    }
    return seen;
  }

  /** Read a value of the field: a number in its range, or a name. */
  int value() {
    int from = at;
    if (seesLetter()) {
      return name(from);
    }
    if (!seesDigit()) {
      throw refuse().word(from);
    }
    int number = digits();
    if (number < field.min || number > field.max) {
      throw refuse().outOfRange(from, at);
    }
    return number;
  }

  /** Read a number that is {@code what}; {@code hint} says which ones are right. */
  int number(String what, String hint) {
    if (!seesDigit()) {
      throw refuse().number(at, what, hint);
    }
    return digits();
  }

  private int digits() {
    int number = 0;
    while (seesDigit()) {
      number = Math.min(TOO_LARGE, number * 10 + text.charAt(at) - '0');
      at++;
    }
    return number;
  }

  private int name(int from) {
    while (at < end && isLetter(text.charAt(at)) && at - from < 3) {
      at++;
    }
    for (int i = 0; at - from == 3 && i < field.names.size(); i++) {
      if (text.regionMatches(true, from, field.names.get(i), 0, 3)) {
        return i + (field == Field.MONTH ? 1 : 0);
      }
    }
    throw refuse().word(from);
  }

  /** Return what can be said against the text of this field. */
  Refusals refuse() {
    return new Refusals(text, field, end);
  }

  private static boolean isLetter(char c) {
    return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z');
  }
}
