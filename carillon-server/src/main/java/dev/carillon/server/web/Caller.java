package dev.carillon.server.web;

import dev.carillon.model.Scope;
import java.time.Instant;
import java.util.Optional;

/**
 * Who sent a request.
 *
 * @param name the name that the audit shows
 * @param role what the caller may do
 * @param means how the caller signed in: {@code token}, {@code jwt}, {@code certificate} or {@code
 *     none}
 * @param id differs from that of all others who sign in by the same means, even of the same name
 * @param limits to what, and until when
 */
public record Caller(String name, Role role, String means, String id, Limits limits) {
  /** A caller who did not sign in. */
  public static final Caller NOBODY = new Caller("nobody", Role.OPEN, "none", "");

  /**
   * What bounds the role of a caller.
   *
   * @param scope what the caller reaches
   * @param until when the sign-in ends, if that is known
   * @param session the hash of the session of the console, in hexadecimal digits, if it is one
   */
  public record Limits(Scope scope, Optional<Instant> until, Optional<String> session) {
    /** No limits. */
    public static final Limits NONE = new Limits(Scope.ALL, Optional.empty());

    /** Limits of a caller who has no session. */
    public Limits(Scope scope, Optional<Instant> until) {
      this(scope, until, Optional.empty());
    }
  }

  /** A caller without limits. */
  public Caller(String name, Role role, String means, String id) {
    this(name, role, means, id, Limits.NONE);
  }

  /** Return what the caller reaches. */
  public Scope scope() {
    return limits.scope();
  }

  /** Return a text that stands for this caller, with what it reaches, and no other. */
  public String identity() {
    return means + ":" + id + scope().json().map(reached -> "\n" + reached).orElse("");
  }
}
