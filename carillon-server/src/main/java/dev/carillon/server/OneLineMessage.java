package dev.carillon.server;

/** What went wrong, in one line fit for an operator's eyes. */
final class OneLineMessage {
  private OneLineMessage() {}

  /** Return the first line of the innermost message; JDBC puts what quotes data on later lines. */
  static String of(Throwable failure) {
    Throwable innermost = failure;
    while (innermost.getCause() != null) {
      innermost = innermost.getCause();
    }
    String message = innermost.getMessage();
    return message == null
        ? innermost.getClass().getSimpleName()
        : message.lines().findFirst().orElse("");
  }
}
