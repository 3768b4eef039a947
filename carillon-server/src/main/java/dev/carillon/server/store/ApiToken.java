package dev.carillon.server.store;

import dev.carillon.model.ChangedBy;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/**
 * Leave to sign in. The token itself is known to its owner alone.
 *
 * @param id its number for people
 * @param name what it is for
 * @param roles what it allows
 * @param created by whom and when it was made
 * @param expiresAt when it ends by itself
 * @param revoked by whom and when it was ended
 * @param lastUsedAt when it was used, give or take a minute
 */
public record ApiToken(
    UUID id,
    String name,
    List<String> roles,
    ChangedBy created,
    Optional<Instant> expiresAt,
    Optional<ChangedBy> revoked,
    Optional<Instant> lastUsedAt) {
  public ApiToken {
    roles = List.copyOf(roles);
  }

  /** Tell whether it opens anything at {@code now}. */
  public boolean isValid(Instant now) {
    return revoked.isEmpty() && expiresAt.filter(end -> !end.isAfter(now)).isEmpty();
  }
}
