package dev.carillon.server.web;

/**
 * Whoever asks.
 *
 * @param name who they are, as the audit names them
 * @param role what they may do
 * @param means how they signed in: {@code token}, {@code jwt}, {@code certificate} or {@code none}
 */
public record Caller(String name, Role role, String means) {
  /** Somebody who did not sign in. */
  public static final Caller NOBODY = new Caller("nobody", Role.OPEN, "none");
}
