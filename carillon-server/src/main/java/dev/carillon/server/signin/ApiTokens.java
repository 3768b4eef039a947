package dev.carillon.server.signin;

import dev.carillon.server.store.ApiToken;
import dev.carillon.server.store.TokenHashes;
import dev.carillon.server.store.TokenStore;
import dev.carillon.server.web.Caller;
import dev.carillon.server.web.Role;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Map;
import java.util.Optional;

/** API tokens. Each sign-in reads the database, so that a revoked token ends at once. */
public final class ApiTokens implements BearerToken {
  private static final int MAX_REMEMBERED = 1_000;
  private static final Duration OUTAGE_GRACE = Duration.ofMinutes(10);
  private static final Duration MAX_OUTAGE = Duration.ofDays(1);

  private final TokenStore store;
  private final InstantSource clock;
  private final KnownTokens all;
  private final Map<String, Good> good = SignInThrottle.recent(MAX_REMEMBERED);

  private record Good(Caller caller, Optional<Instant> until, Instant at) {}

  /**
   * Accept the tokens in {@code store}.
   *
   * @param hashes those of the same tokens
   */
  public ApiTokens(TokenStore store, TokenHashes hashes, InstantSource clock) {
    this.store = store;
    this.clock = clock;
    this.all = new KnownTokens(hashes, clock);
  }

  @Override
  public boolean couldBeValid(String token) {
    return token.startsWith(ApiTokenSecret.PREFIX) && all.mayInclude(ApiTokenSecret.hash(token));
  }

  @Override
  public Optional<Caller> caller(String token) {
    if (!token.startsWith(ApiTokenSecret.PREFIX)) {
      return Optional.empty();
    }
    Instant now = clock.instant();
    byte[] hash = ApiTokenSecret.hash(token);
    Optional<ApiToken> known = store.valid(hash, now);
    known.ifPresent(found -> store.used(found, now));
    Optional<Good> valid = known.map(found -> new Good(caller(found), found.expiresAt(), now));
    remember(ApiTokenSecret.fingerprint(token), valid);
    return valid.map(Good::caller);
  }

  /**
   * Return whose {@code token} is without asking the database, which has been away for {@code
   * awayFor}: at most a day, and the token was good in the ten minutes before.
   */
  Optional<Caller> remembered(String token, Duration awayFor) {
    if (awayFor.compareTo(MAX_OUTAGE) > 0) {
      return Optional.empty();
    }
    Instant now = clock.instant();
    return recall(ApiTokenSecret.fingerprint(token))
        .filter(known -> known.at.isAfter(now.minus(awayFor).minus(OUTAGE_GRACE)))
        .filter(known -> known.until.map(now::isBefore).orElse(true))
        .map(Good::caller);
  }

  private synchronized void remember(String fingerprint, Optional<Good> valid) {
    valid.ifPresentOrElse(known -> good.put(fingerprint, known), () -> good.remove(fingerprint));
  }

  private synchronized Optional<Good> recall(String fingerprint) {
    return Optional.ofNullable(good.get(fingerprint));
  }

  private static Caller caller(ApiToken token) {
    return new Caller(
        token.name(),
        role(token),
        "token",
        token.id().toString(),
        new Caller.Limits(token.scope(), token.expiresAt()));
  }

  private static Role role(ApiToken token) {
    return token.roles().stream()
        .flatMap(word -> Role.named(word).stream())
        .filter(role -> token.scope().isAll() || role != Role.ADMIN)
        .max(Role::compareTo)
        .orElse(Role.OPEN);
  }
}
