package dev.carillon.server.signin;

import dev.carillon.model.ApiToken;
import dev.carillon.server.web.Caller;
import dev.carillon.server.web.Role;
import dev.carillon.store.TokenStore;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;

/** API tokens. The database is asked each time, so that one that is revoked ends at once. */
public final class ApiTokens implements Bearer {
  private final TokenStore store;
  private final InstantSource clock;

  /** Accept the tokens in {@code store}. */
  public ApiTokens(TokenStore store, InstantSource clock) {
    this.store = store;
    this.clock = clock;
  }

  @Override
  public Optional<Caller> caller(String token) {
    if (!token.startsWith(Secret.PREFIX)) {
      return Optional.empty();
    }
    Instant now = clock.instant();
    Optional<ApiToken> known = store.valid(Secret.hash(token), now);
    known.ifPresent(found -> store.used(found, now));
    return known.map(
        found -> new Caller(found.name(), role(found), "token", found.id().toString()));
  }

  private static Role role(ApiToken token) {
    return token.roles().stream()
        .flatMap(word -> Role.named(word).stream())
        .max(Role::compareTo)
        .orElse(Role.OPEN);
  }
}
