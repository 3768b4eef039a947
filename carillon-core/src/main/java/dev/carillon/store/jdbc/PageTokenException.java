package dev.carillon.store.jdbc;

/** A bookmark that is none, or is of another list. */
public final class PageTokenException extends IllegalArgumentException {
  PageTokenException(String message) {
    super(message);
  }
}
