package dev.carillon.cli.bench;

import java.sql.SQLException;

/** A bench could not go on; the message says in one line why and what to do. */
public final class BenchException extends RuntimeException {
  private static final String NOT_ALLOWED = "42501";

  BenchException(String message) {
    super(message);
  }

  BenchException(String message, Throwable cause) {
    super(message, cause);
  }

  /** Say whether the server refused because the role may not do this. */
  boolean notAllowed() {
    return getCause() instanceof SQLException failure && NOT_ALLOWED.equals(failure.getSQLState());
  }
}
