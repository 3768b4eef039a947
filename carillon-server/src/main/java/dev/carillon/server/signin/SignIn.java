package dev.carillon.server.signin;

import dev.carillon.server.web.Caller;
import dev.carillon.server.web.Problem;
import dev.carillon.server.web.ProblemException;
import dev.carillon.server.web.ProblemKind;
import dev.carillon.server.web.Request;
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

  /**
   * Accept what one of {@code bearers} or {@code certificates} knows.
   *
   * @param withoutDatabase accept tokens for what is answered without the database
   * @param failures how many sign-ins an address may fail in a minute
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
    throttle.check(request.address(), fingerprint);
    Optional<Caller> caller =
        token.flatMap(
            sent -> caller(sent, request.isWithoutDatabase() ? withoutDatabase : bearers));
    if (caller.isEmpty()) {
      throttle.failed(request.address(), fingerprint);
      throw refused(
          "The token is unknown, expired or revoked, or not meant for this server.",
          ", error=\"invalid_token\"");
    }
    throttle.succeeded(fingerprint);
    return caller.get();
  }

  private static Optional<Caller> caller(String token, List<BearerToken> known) {
    return known.stream().flatMap(bearerToken -> bearerToken.caller(token).stream()).findFirst();
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
