package dev.carillon.server.signin;

import dev.carillon.server.web.Caller;
import dev.carillon.server.web.ConcurrencyLimit;
import dev.carillon.server.web.Problem;
import dev.carillon.server.web.ProblemException;
import dev.carillon.server.web.ProblemKind;
import dev.carillon.server.web.Request;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/** Finds out who calls: by bearer token, else by client certificate. */
public final class SignIn implements Function<Request, Caller> {
  private static final String SCHEME = "bearer ";
  private static final int MAX_LENGTH = 8 * 1024;

  private final List<BearerToken> bearers;
  private final List<BearerToken> withoutDatabase;
  private final ClientCertificates certificates;
  private final SignInThrottle throttle;
  private final ConcurrencyLimit suspects = new ConcurrencyLimit(1);

  /**
   * Accept what one of {@code bearers} or {@code certificates} knows.
   *
   * @param withoutDatabase accept tokens for what is answered without the database
   * @param failures how many sign-ins may fail in a minute, per address and per credential
   */
  public SignIn(
      List<BearerToken> bearers,
      List<BearerToken> withoutDatabase,
      ClientCertificates certificates,
      int failures,
      InstantSource clock) {
    this.bearers = List.copyOf(bearers);
    this.withoutDatabase = List.copyOf(withoutDatabase);
    this.certificates = certificates;
    this.throttle = new SignInThrottle(clock, failures);
  }

  /**
   * Return who sent {@code request}.
   *
   * @throws ProblemException if the credentials are missing or unknown
   */
  @Override
  public Caller apply(Request request) {
    Optional<String> header = request.header("Authorization");
    if (header.isEmpty()) {
      return request
          .certificate()
          .flatMap(certificates::caller)
          .orElseThrow(() -> refused("Send an API token or a JWT: Authorization: Bearer …", ""));
    }
    Optional<String> token = token(header.get());
    String fingerprint = ApiTokenSecret.fingerprint(token.orElse(""));
    List<BearerToken> known = request.isWithoutDatabase() ? withoutDatabase : bearers;
    Optional<Duration> wait = throttle.suspect(request.address(), fingerprint);
    Optional<Caller> caller =
        wait.isEmpty()
            ? token.flatMap(sent -> caller(sent, known))
            : token.flatMap(sent -> callerOfSuspect(sent, known));
    if (caller.isEmpty()) {
      throttle.failed(request.address(), fingerprint);
      throw wait.map(SignIn::tooMany)
          .orElseGet(
              () ->
                  refused(
                      "The token is unknown, expired or revoked, or not meant for this server.",
                      ", error=\"invalid_token\""));
    }
    throttle.succeeded(fingerprint);
    return caller.get();
  }

  private static Optional<Caller> caller(String token, List<BearerToken> known) {
    return known.stream().flatMap(bearerToken -> bearerToken.caller(token).stream()).findFirst();
  }

  /* The failures may be those of others at the same address, so a valid token is still found. The
   * signatures of JWTs are checked one at a time: a flood of them costs no more than one core. */
  private Optional<Caller> callerOfSuspect(String token, List<BearerToken> known) {
    List<BearerToken> possible =
        known.stream().filter(bearerToken -> bearerToken.couldBeValid(token)).toList();
    return possible.isEmpty() ? Optional.empty() : suspects.take(() -> caller(token, possible));
  }

  static ProblemException tooMany(Duration wait) {
    return Problem.of(
            ProblemKind.TOO_MANY_FAILURES,
            "Too many sign-ins from your address, or with this credential, failed; wait a minute.")
        .header("Retry-After", String.valueOf(wait.toSeconds() + 1))
        .problemException();
  }

  private static Optional<String> token(String header) {
    return header.regionMatches(true, 0, SCHEME, 0, SCHEME.length())
            && header.length() <= MAX_LENGTH
        ? Optional.of(header.substring(SCHEME.length()).strip()).filter(text -> !text.isEmpty())
        : Optional.empty();
  }

  private static ProblemException refused(String detail, String error) {
    return Problem.of(ProblemKind.UNAUTHENTICATED, detail)
        .header("WWW-Authenticate", "Bearer realm=\"carillon\"" + error)
        .problemException();
  }
}
