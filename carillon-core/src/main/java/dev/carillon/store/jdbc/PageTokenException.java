package dev.carillon.store.jdbc;

/** A text is not a page token, or one of another list. */
public final class PageTokenException extends IllegalArgumentException {
  PageTokenException(String message) {
    super(message);
  }
}
