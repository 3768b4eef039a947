package dev.carillon.postgres;

/** PostgreSQL could not be run; the message is one line that says what happened and the cure. */
public final class PostgresException extends RuntimeException {
  PostgresException(String message) {
    super(message);
  }

  PostgresException(String message, Throwable cause) {
    super(message, cause);
  }
}
