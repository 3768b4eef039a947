package dev.carillon.server.web;

/**
 * Who sent a request.
 *
 * @param name the name that the audit shows
 * @param role what the caller may do
 * @param means how the caller signed in: {@code token}, {@code jwt}, {@code certificate} or {@code
 *     none}
 * @param id differs from that of all others who sign in by the same means, even of the same name
 */
public record Caller(String name, Role role, String means, String id) {
  /** A caller who did not sign in. */
  public static final Caller NOBODY = new Caller("nobody", Role.OPEN, "none", "");

  /** Return a text that stands for this caller and no other. */
  public String identity() {
    return means + ":" + id;
  }
}
