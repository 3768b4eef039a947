package dev.carillon.server.store;

import dev.carillon.model.ChangedBy;
import dev.carillon.model.Scope;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/**
 * An API token, without its secret.
 *
 * @param scope what it reaches
 * @param lastUsedAt accurate to a minute
 */
public record ApiToken(
    UUID id,
    String name,
    List<String> roles,
    Scope scope,
    ChangedBy created,
    Optional<Instant> expiresAt,
    Optional<ChangedBy> revoked,
    Optional<Instant> lastUsedAt) {
  public ApiToken {
    roles = List.copyOf(roles);
  }

  /** Tell whether it is neither revoked nor expired at {@code now}. */
  public boolean isValid(Instant now) {
    return revoked.isEmpty() && expiresAt.filter(end -> !end.isAfter(now)).isEmpty();
  }
}
