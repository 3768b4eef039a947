package dev.carillon.store.jdbc;

/** A page needs more bytes than {@link PageRoom#within} allows. */
public final class PageLimitException extends RuntimeException {
  private static final long serialVersionUID = 1;

  PageLimitException(long bytes) {
    super("the page has more than %s bytes".formatted(bytes));
  }
}
