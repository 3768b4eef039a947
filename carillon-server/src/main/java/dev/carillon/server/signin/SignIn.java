package dev.carillon.server.signin;

import dev.carillon.server.web.Caller;
import dev.carillon.server.web.Problem;
import dev.carillon.server.web.ProblemKind;
import dev.carillon.server.web.Refusal;
import dev.carillon.server.web.Request;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/** Finds out who calls: by bearer token, else by client certificate. */
public final class SignIn implements Function<Request, Caller> {
  private static final String SCHEME = "bearer ";
  private static final int LONGEST = 8 * 1024;

  private final List<Bearer> bearers;
  private final List<Bearer> vital;
  private final Certificates certificates;
  private final Attempts attempts;

  /**
   * Accept what one of {@code bearers} or {@code certificates} knows.
   *
   * @param failures how many sign-ins an address may fail in a minute
   */
  public SignIn(
      List<Bearer> bearers, Certificates certificates, int failures, InstantSource clock) {
    this(bearers, bearers, certificates, new Attempts(clock, failures));
  }

  private SignIn(
      List<Bearer> bearers, List<Bearer> vital, Certificates certificates, Attempts attempts) {
    this.bearers = List.copyOf(bearers);
    this.vital = List.copyOf(vital);
    this.certificates = certificates;
    this.attempts = attempts;
  }

  /** Return the same, but accept what {@code vital} know for what is answered without database. */
  public SignIn withoutDatabase(List<Bearer> vital) {
    return new SignIn(bearers, vital, certificates, attempts);
  }

  /**
   * Return who sent {@code request}.
   *
   * @throws Refusal if nobody knows them
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
    String fingerprint = Secret.fingerprint(token.orElse(""));
    attempts.check(request.address(), fingerprint);
    Optional<Caller> caller =
        token.flatMap(sent -> caller(sent, request.isVital() ? vital : bearers));
    if (caller.isEmpty()) {
      attempts.failed(request.address(), fingerprint);
      throw refused(
          "The token is unknown, expired or revoked, or not meant for this server.",
          ", error=\"invalid_token\"");
    }
    attempts.succeeded(fingerprint);
    return caller.get();
  }

  private static Optional<Caller> caller(String token, List<Bearer> known) {
    return known.stream().flatMap(bearer -> bearer.caller(token).stream()).findFirst();
  }

  private static Optional<String> token(String header) {
    return header.regionMatches(true, 0, SCHEME, 0, SCHEME.length()) && header.length() <= LONGEST
        ? Optional.of(header.substring(SCHEME.length()).strip()).filter(text -> !text.isEmpty())
        : Optional.empty();
  }

  private static Refusal refused(String detail, String error) {
    return Problem.of(ProblemKind.UNAUTHENTICATED, detail)
        .header("WWW-Authenticate", "Bearer realm=\"carillon\"" + error)
        .refusal();
  }
}
