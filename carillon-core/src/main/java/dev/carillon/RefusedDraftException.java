package dev.carillon;

/** One draft of several that was refused, so that none of them was stored. */
public final class RefusedDraftException extends IllegalArgumentException {
  private final String key;

  RefusedDraftException(String key, IllegalArgumentException cause) {
    super(cause.getMessage(), cause);
    this.key = key;
  }

  /** Return the key of the draft. */
  public String key() {
    return key;
  }
}
