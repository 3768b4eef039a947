package dev.carillon.server;

/** The server could not start; the message says in one line why and what to do. */
public final class StartException extends RuntimeException {
  StartException(String message) {
    super(message);
  }

  StartException(String message, Throwable cause) {
    super(message, cause);
  }
}
