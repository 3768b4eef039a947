package dev.carillon.time;

/** Signals a timing that is not valid; the message shows where, what is wrong and how to fix it. */
public final class CronSyntaxException extends InvalidValueException {
  private static final int MAX_SHOWN = 256;

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
            + " ".repeat(Math.min(from, MAX_SHOWN))
            + "^".repeat(Math.max(1, Math.min(to, MAX_SHOWN) - from))
            + "\n"
            + hint);
    this.expression = expression;
    this.position = from;
    this.problem = problem;
    this.hint = hint;
  }

  /** The invalid text, without surrounding blanks. */
  public String expression() {
    return expression;
  }

  /** The index in {@link #expression()} at which the invalid text begins. */
  public int position() {
    return position;
  }

  /** What is wrong. */
  public String problem() {
    return problem;
  }

  /** How to fix it. */
  public String hint() {
    return hint;
  }

  /** Return one line of ASCII characters, so that the caret stays aligned. */
  private static String printable(String text) {
    var shown = new StringBuilder(text.substring(0, Math.min(text.length(), MAX_SHOWN)));
    for (int i = 0; i < shown.length(); i++) {
      char c = shown.charAt(i);
      if (c == '\t') {
        shown.setCharAt(i, ' ');
      } else if (c < ' ' || c > '~') {
        shown.setCharAt(i, '?');
      }
    }
    return text.length() > MAX_SHOWN ? shown + "..." : shown.toString();
  }
}
