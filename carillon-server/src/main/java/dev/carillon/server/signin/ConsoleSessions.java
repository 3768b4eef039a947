package dev.carillon.server.signin;

import dev.carillon.server.store.ConsoleSession;
import dev.carillon.server.store.ConsoleSessionStore;
import dev.carillon.server.web.Caller;
import dev.carillon.server.web.Role;
import dev.carillon.server.web.Sha256;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HexFormat;
import java.util.Optional;
import java.util.UUID;

/**
 * Sessions of the console: a browser that has shown a token is known by the secret in its cookie,
 * with the role and the scope of the token and no longer than that. Each request reads the
 * database, so that a session that was ended, or whose token was revoked, ends at once.
 */
public final class ConsoleSessions {
  /** How long a session lasts that is not used. */
  public static final Duration IDLE = Duration.ofHours(2);

  /** How long a session lasts at most. */
  public static final Duration LIFETIME = Duration.ofHours(12);

  private static final String PREFIX = "crs_";
  private static final int MAX_SECRET = 100;
  private static final int MAX_OF_ONE = 100;

  private final ConsoleSessionStore store;
  private final Optional<String> configuredToken;
  private final InstantSource clock;

  /**
   * A session that was begun.
   *
   * @param secret what the cookie carries, known nowhere else
   * @param caller as whom
   * @param expiresAt when it is over, however much it is used
   */
  public record Begun(String secret, Caller caller, Instant expiresAt) {
    @Override
    public String toString() {
      return "console session of " + caller.name();
    }
  }

  /**
   * Keep sessions in {@code store}.
   *
   * @param configuredToken the token that is set where the server is started: with another one, the
   *     sessions it began end
   */
  public ConsoleSessions(
      ConsoleSessionStore store, Optional<String> configuredToken, InstantSource clock) {
    this.store = store;
    this.configuredToken = configuredToken.map(ApiTokenSecret::fingerprint);
    this.clock = clock;
  }

  /** Begin a session of {@code caller}, who has shown {@code token}. */
  public Begun begin(Caller caller, String token) {
    Instant now = clock.instant();
    String secret = PREFIX + ServerProof.nonce();
    Instant end = now.plus(LIFETIME);
    Instant expiresAt = caller.limits().until().filter(end::isAfter).orElse(end);
    store.create(
        Sha256.of(secret),
        new ConsoleSession(
            credential(secret, ApiTokenSecret.fingerprint(token)),
            token(caller),
            new ConsoleSession.Who(
                caller.name(), caller.role().word(), caller.means(), caller.id(), caller.scope()),
            now,
            expiresAt),
        MAX_OF_ONE);
    return new Begun(secret, caller, expiresAt);
  }

  /**
   * Return whose session has this secret; empty if it is unknown or over.
   *
   * @param used whether somebody uses it; else it is a page that asks by itself
   */
  public Optional<Caller> caller(String secret, boolean used) {
    if (!secret.startsWith(PREFIX) || secret.length() > MAX_SECRET) {
      return Optional.empty();
    }
    Instant now = clock.instant();
    byte[] hash = Sha256.of(secret);
    return store
        .valid(hash, now, IDLE)
        .filter(session -> isByOurToken(session, secret))
        .map(
            session -> {
              if (used) {
                store.used(hash, session, now);
              }
              return caller(session, hash);
            });
  }

  /** End the session with this secret, if there is one. */
  public void end(String secret) {
    store.end(Sha256.of(secret), clock.instant());
  }

  private static Caller caller(ConsoleSession session, byte[] hash) {
    ConsoleSession.Who who = session.who();
    return new Caller(
        who.name(),
        Role.named(who.role()).orElse(Role.OPEN),
        who.means(),
        who.id(),
        new Caller.Limits(
            who.scope(),
            Optional.of(session.expiresAt()),
            Optional.of(HexFormat.of().formatHex(hash))));
  }

  /* Only the token that is set where a server is started can change without a trace in the database. */
  private boolean isByOurToken(ConsoleSession session, String secret) {
    return !session.who().id().equals(ConfiguredToken.ID)
        || configuredToken
            .filter(ours -> credential(secret, ours).equals(session.credential()))
            .isPresent();
  }

  private static String credential(String secret, String fingerprint) {
    return ApiTokenSecret.fingerprint(secret + "\n" + fingerprint);
  }

  private static Optional<UUID> token(Caller caller) {
    return caller.means().equals("token") && !caller.id().equals(ConfiguredToken.ID)
        ? Optional.of(UUID.fromString(caller.id()))
        : Optional.empty();
  }
}
