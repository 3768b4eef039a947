package dev.carillon.store;

/** A bookmark that is none, or is of another list. */
public final class BookmarkException extends IllegalArgumentException {
  BookmarkException(String message) {
    super(message);
  }
}
