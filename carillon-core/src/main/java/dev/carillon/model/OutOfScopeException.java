package dev.carillon.model;

/** Thrown when a caller would make or change something that is outside its {@link Scope}. */
public final class OutOfScopeException extends RuntimeException {
  private final String field;

  /** Blame {@code field} for what {@code message} says. */
  public OutOfScopeException(String field, String message) {
    super(message, null, false, false);
    this.field = field;
  }

  /** Refuse a key that belongs to a schedule which is not reached. */
  public static OutOfScopeException takenKey() {
    return new OutOfScopeException(
        "key", "the key is taken by a schedule that your token does not reach; choose another");
  }

  /** Return the name of the field that is to blame. */
  public String field() {
    return field;
  }
}
