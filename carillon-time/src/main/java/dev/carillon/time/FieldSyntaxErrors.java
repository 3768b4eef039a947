package dev.carillon.time;

import java.util.Locale;

/** Creates the errors for the text of a field, each with its position and a hint. */
final class FieldSyntaxErrors {
  private final String text;
  private final CronField cronField;
  private final int end;

  FieldSyntaxErrors(String text, CronField cronField, int end) {
    this.text = text;
    this.cronField = cronField;
    this.end = end;
  }

  /** Return the most specific error for the word at {@code from}. */
  CronSyntaxException invalidWord(int from) {
    if (isItemEnd(from)) {
      return missing(from, cronField.labelWithArticle(), cronField.hint());
    }
    int to = wordEnd(from);
    String word = text.substring(from, to);
    if (word.startsWith("/")) {
      return at(from, to, "a step needs a range before it", "Use *" + word + ".");
    }
    if (word.startsWith("?")) {
      return at(
          from,
          from + 1,
          "'?' stands alone, and only for the day of month or the day of week",
          "Use *.");
    }
    if (word.indexOf('~') >= 0) {
      return at(
          from,
          to,
          "'~' is not supported: a random choice cannot be repeated",
          cronField == CronField.YEAR
              ? cronField.hint()
              : "Use H, or H(a-b), which chooses by the key of the schedule and stays.");
    }
    String upper = word.toUpperCase(Locale.ROOT);
    if (!upper.equals(word) && isSpecial(upper)) {
      return lowerCase(from, to);
    }
    return at(from, to, "'" + word + "' is not " + cronField.labelWithArticle(), cronField.hint());
  }

  /** Return the error for text at {@code from} where a number, {@code what}, is expected. */
  CronSyntaxException invalidNumber(int from, String what, String hint) {
    if (isItemEnd(from)) {
      return missing(from, what, hint);
    }
    int to = wordEnd(from);
    return at(from, to, "'" + text.substring(from, to) + "' is not " + what, hint);
  }

  /** Return the error for text that follows the term from {@code begin} to {@code at}. */
  CronSyntaxException unexpectedRest(int begin, int at) {
    char c = text.charAt(at);
    if (c != '-' && c != '/') {
      return invalidWord(begin);
    }
    int to = itemEnd(at);
    return at(
        at,
        to,
        "'%s' cannot follow '%s'".formatted(text.substring(at, to), text.substring(begin, at)),
        "Use a value, a range such as a-b, or a range with a step such as a-b/n.");
  }

  /** Return the error for the number from {@code from} to {@code to}. */
  CronSyntaxException outOfRange(int from, int to) {
    if (to < end && text.charAt(to) == '~') {
      return invalidWord(from);
    }
    String number = text.substring(from, to);
    return at(from, to, number + " is out of range for the " + cronField.label, cronField.hint());
  }

  /** Return the error for the item at {@code from}, in which text follows a day with L, W or #. */
  CronSyntaxException mustStandAlone(int from) {
    int to = itemEnd(from);
    String item = text.substring(from, to);
    if (item.endsWith("w") || item.endsWith("l")) {
      return lowerCase(from, to);
    }
    return at(
        from,
        to,
        "'" + item + "': a day with L, W or # stands alone, without range or step",
        "List single days instead, as in "
            + (cronField == CronField.DAY_OF_MONTH ? "1W,15W." : "1#2,5#2."));
  }

  /** Return an error for the text from {@code from} to {@code to}. */
  CronSyntaxException at(int from, int to, String problem, String hint) {
    return new CronSyntaxException(text, from, to, problem, hint);
  }

  private CronSyntaxException lowerCase(int from, int to) {
    String upper = text.substring(from, to).toUpperCase(Locale.ROOT);
    return at(from, to, "L, W and H are written in upper case", "Use " + upper + ".");
  }

  private CronSyntaxException missing(int from, String what, String hint) {
    boolean afterSign = from == end && from > 0 && text.charAt(from - 1) != ' ';
    int caret = afterSign ? from - 1 : from;
    return at(caret, caret + 1, what + " is missing", hint);
  }

  private boolean isSpecial(String word) {
    boolean hash = word.equals("H") || word.startsWith("H(");
    return switch (cronField) {
      case DAY_OF_MONTH -> hash || word.equals("L") || (word.length() > 1 && word.endsWith("W"));
      case DAY_OF_WEEK -> hash || (word.length() > 1 && word.endsWith("L"));
      case YEAR -> false;
      default -> hash;
    };
  }

  private boolean isItemEnd(int from) {
    return from == end || text.charAt(from) == ',';
  }

  private int itemEnd(int from) {
    int comma = text.indexOf(',', from);
    return comma < 0 || comma > end ? end : comma;
  }

  /** Find the end of the word at {@code from}; parentheses and their content belong to it. */
  private int wordEnd(int from) {
    int to = from + 1;
    boolean inside = false;
    while (to < end && (inside || ",-/".indexOf(text.charAt(to)) < 0)) {
      inside = text.charAt(to) == '(' || (inside && text.charAt(to) != ')');
      to++;
    }
    return to;
  }
}
