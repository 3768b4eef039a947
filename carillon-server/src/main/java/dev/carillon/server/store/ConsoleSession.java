package dev.carillon.server.store;

import dev.carillon.model.Scope;
import java.time.Instant;
import java.util.Optional;
import java.util.UUID;

/**
 * Somebody who is signed in to the console.
 *
 * @param credential the SHA-256 of the secret of the session and of what was shown at sign-in, in
 *     hexadecimal digits
 * @param token the API token by which it was begun, if it was one
 * @param who as whom
 * @param seenAt when it was last used, to a minute
 * @param expiresAt when it is over, however much it is used
 */
public record ConsoleSession(
    String credential, Optional<UUID> token, Who who, Instant seenAt, Instant expiresAt) {
  /**
   * As whom somebody is signed in.
   *
   * @param name the name that the audit shows
   * @param role what the caller may do
   * @param means how the caller signed in
   * @param id differs from that of all others who sign in by the same means
   * @param scope what the caller reaches
   */
  public record Who(String name, String role, String means, String id, Scope scope) {}

  @Override
  public String toString() {
    return "console session of " + who.name;
  }
}
