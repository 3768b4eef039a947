package dev.carillon.postgres;

/** Signals that PostgreSQL cannot run; the message is one line with the cause and how to fix it. */
public final class PostgresException extends RuntimeException {
  PostgresException(String message) {
    super(message);
  }

  PostgresException(String message, Throwable cause) {
    super(message, cause);
  }
}
