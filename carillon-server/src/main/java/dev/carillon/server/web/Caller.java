package dev.carillon.server.web;

/**
 * Whoever asks.
 *
 * @param name who they are, as the audit names them
 * @param role what they may do
 * @param means how they signed in: {@code token}, {@code jwt}, {@code certificate} or {@code none}
 * @param id what tells them from all others who sign in like that, even of the same name
 */
public record Caller(String name, Role role, String means, String id) {
  /** Somebody who did not sign in. */
  public static final Caller NOBODY = new Caller("nobody", Role.OPEN, "none", "");

  /** Return a text that stands for them and nobody else. */
  public String identity() {
    return means + ":" + id;
  }
}
