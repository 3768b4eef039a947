package dev.carillon.time;

/** A timing that cannot be read; the message shows where, what is wrong and what would be right. */
public final class CronSyntaxException extends InvalidValueException {
  private static final int SHOWN = 256;

  private final String expression;
  private final int position;
  private final String problem;
  private final String hint;

  CronSyntaxException(String expression, int from, int to, String problem, String hint) {
    super(
        problem
            + "\n  "
            + printable(expression)
            + "\n  "
            + " ".repeat(Math.min(from, SHOWN))
            + "^".repeat(Math.max(1, Math.min(to, SHOWN) - from))
            + "\n"
            + hint);
    this.expression = expression;
    this.position = from;
    this.problem = problem;
    this.hint = hint;
  }

  /** The text that was refused, without blanks around it. */
  public String expression() {
    return expression;
  }

  /** Where in {@link #expression()} the offending text begins, from 0. */
  public int position() {
    return position;
  }

  /** What is wrong. */
  public String problem() {
    return problem;
  }

  /** What would be right. */
  public String hint() {
    return hint;
  }

  /** One line of plain characters, so that the caret stays under what it points at. */
  private static String printable(String text) {
    var shown = new StringBuilder(text.substring(0, Math.min(text.length(), SHOWN)));
    for (int i = 0; i < shown.length(); i++) {
      char c = shown.charAt(i);
      if (c == '\t') {
        shown.setCharAt(i, ' ');
      } else if (c < ' ' || c > '~') {
        shown.setCharAt(i, '?');
      }
    }
    return text.length() > SHOWN ? shown + "..." : shown.toString();
  }
}
