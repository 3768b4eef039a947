package dev.carillon.server;

/** The server could not start; the message says in one line why and what to do. */
public final class StartException extends RuntimeException {
  private final boolean passing;

  StartException(String message) {
    super(message);
    this.passing = false;
  }

  StartException(String message, Throwable cause) {
    this(message, cause, false);
  }

  /** Report what keeps a server from starting, and whether that may pass by itself. */
  StartException(String message, Throwable cause, boolean passing) {
    super(message, cause);
    this.passing = passing;
  }

  /** Return whether trying again in a moment may help. */
  boolean isPassing() {
    return passing;
  }
}
