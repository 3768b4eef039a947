package dev.carillon.server.store;

/** A target holds secrets, and there is no key to encrypt them with. */
public final class SecretKeyMissingException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  SecretKeyMissingException() {
    super("there is no key to encrypt the secrets of targets with");
  }
}
