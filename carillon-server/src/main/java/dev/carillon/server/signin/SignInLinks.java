package dev.carillon.server.signin;

import dev.carillon.model.ChangedBy;
import dev.carillon.server.store.ApiToken;
import dev.carillon.server.store.SignInLinkStore;
import dev.carillon.server.store.TokenStore;
import dev.carillon.server.web.ConcurrencyLimit;
import dev.carillon.server.web.ProblemException;
import dev.carillon.server.web.ProblemKind;
import dev.carillon.server.web.Role;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;

/**
 * Links by which an administrator signs in once, within ten minutes. The code of a link is
 * exchanged for a token that is valid for half a day.
 */
public final class SignInLinks {
  /** Where a link leads; its code follows behind a {@code #}, which browsers keep to themselves. */
  public static final String PATH = "/sign-in";

  private static final Duration LIFETIME = Duration.ofMinutes(10);
  private static final Duration SESSION = Duration.ofHours(12);
  private static final String NAME = "sign-in link";
  private static final int MAX_CODE = 100;
  private static final int MAX_AT_ONCE = 2;

  private final SignInLinkStore links;
  private final TokenStore tokens;
  private final InstantSource clock;
  private final SignInThrottle throttle;
  private final ConcurrencyLimit limit = new ConcurrencyLimit(MAX_AT_ONCE);
  private final ConcurrencyLimit suspects = new ConcurrencyLimit(1);

  /**
   * A link that was made.
   *
   * @param path where it leads on this server, with its code
   * @param expiresAt when it is over
   */
  public record Link(String path, Instant expiresAt) {
    @Override
    public String toString() {
      return "sign-in link until " + expiresAt;
    }
  }

  /**
   * What a link is exchanged for.
   *
   * @param token the token itself, known nowhere else
   * @param stored what is known of it
   */
  public record Session(String token, ApiToken stored) {
    @Override
    public String toString() {
      return "session of token " + stored.id();
    }
  }

  /**
   * Make links and sign in by them.
   *
   * @param failures how many sign-ins may fail in a minute, per address
   */
  public SignInLinks(SignInLinkStore links, TokenStore tokens, InstantSource clock, int failures) {
    this.links = links;
    this.tokens = tokens;
    this.clock = clock;
    this.throttle = new SignInThrottle(clock, failures);
  }

  /** Make a link in the name of {@code by}. */
  public Link create(String by) {
    Instant now = clock.instant();
    String code = ServerProof.nonce();
    Instant end = now.plus(LIFETIME);
    links.create(ApiTokenSecret.hash(code), end, new ChangedBy(now, by));
    return new Link(PATH + "#" + code, end);
  }

  /**
   * Exchange the code of a link, which is of no use from then on.
   *
   * @param address who asks
   * @throws ProblemException if there is no such link, or it was used, or it is over
   */
  public Session signIn(String code, String address) {
    String fingerprint = ApiTokenSecret.fingerprint(code);
    Optional<Duration> wait = throttle.suspect(address, fingerprint);
    Optional<Session> session =
        code.length() > MAX_CODE
            ? Optional.empty()
            : (wait.isEmpty() ? limit : suspects).take(() -> exchange(code));
    if (session.isEmpty()) {
      throttle.failed(address, fingerprint);
      throw wait.map(SignIn::tooMany).orElseGet(SignInLinks::refused);
    }
    return session.get();
  }

  private Optional<Session> exchange(String code) {
    Instant now = clock.instant();
    return links
        .use(ApiTokenSecret.hash(code), now)
        .map(
            maker -> {
              String token = ApiTokenSecret.generate();
              return new Session(
                  token,
                  tokens
                      .create(
                          NAME,
                          ApiTokenSecret.hash(token),
                          List.of(Role.ADMIN.word()),
                          Optional.of(now.plus(SESSION)),
                          new ChangedBy(now, maker))
                      .orElseThrow());
            });
  }

  private static ProblemException refused() {
    return new ProblemException(
        ProblemKind.UNAUTHENTICATED,
        "The link is unknown, was used, or is older than ten minutes; 'carillon sign-in-link' makes another.");
  }
}
