package dev.carillon.bench;

import java.sql.SQLException;

/** A bench could not go on; the message says in one line why and what to do. */
public final class BenchException extends RuntimeException {
  private static final String NOT_ALLOWED = "42501";

  public BenchException(String message) {
    super(message);
  }

  public BenchException(String message, Throwable cause) {
    super(message, cause);
  }

  /** Say whether the server refused because the role may not do this. */
  public boolean notAllowed() {
    return getCause() instanceof SQLException failure && NOT_ALLOWED.equals(failure.getSQLState());
  }
}
