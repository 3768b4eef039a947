package dev.carillon.server.signin;

import dev.carillon.server.web.Caller;
import dev.carillon.server.web.ConcurrencyLimit;
import dev.carillon.server.web.Problem;
import dev.carillon.server.web.ProblemException;
import dev.carillon.server.web.ProblemKind;
import dev.carillon.server.web.Request;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Optional;
import java.util.function.Function;

/** Finds out who calls: by the cookie of the console, if there is no token; else as others do. */
public final class SessionSignIn implements Function<Request, Caller> {
  private final ConsoleSessions sessions;
  private final Function<Request, Caller> others;
  private final ConcurrencyLimit limit;
  private final SignInThrottle throttle;
  private final ConcurrencyLimit suspects = new ConcurrencyLimit(1);

  /**
   * Accept sessions, and what {@code others} accept.
   *
   * @param limit how many may be looked up at once
   * @param failures how many may fail in a minute, per address
   */
  public SessionSignIn(
      ConsoleSessions sessions,
      Function<Request, Caller> others,
      ConcurrencyLimit limit,
      int failures,
      InstantSource clock) {
    this.sessions = sessions;
    this.others = others;
    this.limit = limit;
    this.throttle = new SignInThrottle(clock, failures);
  }

  /**
   * Return who sent {@code request}.
   *
   * @throws ProblemException if the credentials are missing or unknown, or another site sent them
   */
  @Override
  public Caller apply(Request request) {
    Optional<String> secret = SessionCookie.of(request);
    if (request.header("Authorization").isPresent()) {
      return others.apply(request);
    }
    if (secret.isEmpty()) {
      SameOrigin.checkUnasked(request);
      return others.apply(request);
    }
    SameOrigin.check(request);
    return caller(secret.get(), request);
  }

  private Caller caller(String secret, Request request) {
    String address = request.address();
    boolean used = SameOrigin.isUsed(request);
    String fingerprint = ApiTokenSecret.fingerprint(secret);
    Optional<Duration> wait = throttle.suspect(address, fingerprint);
    Optional<Caller> caller =
        (wait.isEmpty() ? limit : suspects).take(() -> sessions.caller(secret, used));
    if (caller.isEmpty()) {
      throttle.failed(address, fingerprint);
      throw wait.map(SignIn::tooMany).orElseGet(SessionSignIn::over);
    }
    throttle.succeeded(fingerprint);
    return caller.get();
  }

  private static ProblemException over() {
    return Problem.of(ProblemKind.UNAUTHENTICATED, "The session is over; sign in again.")
        .header("WWW-Authenticate", "Bearer realm=\"carillon\"")
        .problemException();
  }
}
