package dev.carillon.time;

import java.util.Locale;

/** A place in the text of one field, moving forward, and the errors that can be met there. */
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

  boolean seesLetter() {
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
    int number = number();
    if (number < field.min || number > field.max) {
      throw outOfRange(from);
    }
    return number;
  }

  /** Read digits. */
  int number() {
    int from = at;
    int number = 0;
    while (at < end && isDigit(text.charAt(at))) {
      number = Math.min(TOO_LARGE, number * 10 + text.charAt(at) - '0');
      at++;
    }
    if (at == from) {
      throw unexpected(from);
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
    throw unexpected(from);
  }

  /** Refuse the word at {@code from}, saying as exactly as possible what is wrong with it. */
  CronSyntaxException unexpected(int from) {
    if (from == end || text.charAt(from) == ',') {
      int caret = from == end && from > 0 && text.charAt(from - 1) != ' ' ? from - 1 : from;
      return fail(caret, caret + 1, field.one() + " is missing", field.usage());
    }
    int to = wordEnd(from);
    String word = text.substring(from, to);
    if (word.startsWith("/")) {
      return fail(from, to, "a step needs a range before it", "Use *" + word + ".");
    }
    if (word.startsWith("?")) {
      return fail(
          from,
          from + 1,
          "'?' stands alone, and only for the day of month or the day of week",
          "Use *.");
    }
    if (word.indexOf('~') >= 0) {
      return fail(
          from,
          to,
          "'~' is not supported: a random choice cannot be repeated",
          "Use H, or H(a-b), which chooses by the key of the schedule and stays.");
    }
    String upper = word.toUpperCase(Locale.ROOT);
    if (!upper.equals(word) && isSpecial(upper)) {
      return fail(from, to, "L, W and H are written in upper case", "Use " + upper + ".");
    }
    return fail(from, to, "'" + word + "' is not " + field.one(), field.usage());
  }

  private boolean isSpecial(String word) {
    return switch (field) {
      case DAY_OF_MONTH -> word.equals("L") || word.endsWith("W") || word.startsWith("H");
      case DAY_OF_WEEK -> word.equals("H") || (word.length() > 1 && word.endsWith("L"));
      default -> word.equals("H") || word.startsWith("H(");
    };
  }

  CronSyntaxException outOfRange(int from) {
    String number = text.substring(from, at);
    return fail(from, at, number + " is out of range for the " + field.label, field.usage());
  }

  /** Refuse the item at {@code from}, in which a day of its own kind meets a range or a step. */
  CronSyntaxException notAlone(int from) {
    int to = from;
    while (to < end && text.charAt(to) != ',') {
      to++;
    }
    return fail(
        from,
        to,
        "'" + text.substring(from, to) + "': L, W and # take neither ranges nor steps",
        "List single days instead, as in "
            + (field == Field.DAY_OF_MONTH ? "1W,15W." : "1#2,5#2."));
  }

  CronSyntaxException fail(int from, int to, String problem, String hint) {
    return new CronSyntaxException(text, from, to, problem, hint);
  }

  /** Find the end of the word at {@code from}; what stands in parentheses belongs to it. */
  private int wordEnd(int from) {
    int to = from + 1;
    boolean inside = false;
    while (to < end && (inside || ",-/".indexOf(text.charAt(to)) < 0)) {
      inside = text.charAt(to) == '(' || (inside && text.charAt(to) != ')');
      to++;
    }
    return to;
  }

  private static boolean isDigit(char c) {
    return c >= '0' && c <= '9';
  }

  private static boolean isLetter(char c) {
    return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z');
  }
}
