package dev.carillon.server.signin;

import dev.carillon.server.web.Problem;
import dev.carillon.server.web.ProblemKind;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The failed sign-ins of the last minute, by address. An address with too many is not looked at any
 * more, except with a credential that was good a short while ago: others may share the address.
 */
final class SignInThrottle {
  private static final Duration WINDOW = Duration.ofMinutes(1);
  private static final int MAX_ADDRESSES = 10_000;
  private static final int MAX_CREDENTIALS = 1_000;

  private final InstantSource clock;
  private final int most;
  private final Map<String, Count> failures = recent(MAX_ADDRESSES);
  private final Map<String, Boolean> good = recent(MAX_CREDENTIALS);

  private record Count(Instant since, int failures) {}

  SignInThrottle(InstantSource clock, int most) {
    this.clock = clock;
    this.most = most;
  }

  /** Refuse a sign-in from an address that has failed too often. */
  synchronized void check(String address, String fingerprint) {
    Count count = failures.get(address);
    if (count == null || count.failures < most || good.containsKey(fingerprint)) {
      return;
    }
    Duration rest = WINDOW.minus(Duration.between(count.since, clock.instant()));
    if (rest.isNegative() || rest.isZero()) {
      failures.remove(address);
      return;
    }
    throw Problem.of(
            ProblemKind.TOO_MANY_FAILURES,
            "Too many sign-ins from your address failed; wait a minute.")
        .header("Retry-After", String.valueOf(rest.toSeconds() + 1))
        .problemException();
  }

  synchronized void failed(String address, String fingerprint) {
    good.remove(fingerprint);
    Instant now = clock.instant();
    Count count = failures.get(address);
    failures.put(
        address,
        count == null || count.since.plus(WINDOW).isBefore(now)
            ? new Count(now, 1)
            : new Count(count.since, count.failures + 1));
  }

  synchronized void succeeded(String fingerprint) {
    good.put(fingerprint, true);
  }

  /** Return a map that forgets what was used longest ago when it has more than {@code most}. */
  static <T> Map<String, T> recent(int most) {
    return new LinkedHashMap<>(16, 0.75f, true) {
      @Override
      protected boolean removeEldestEntry(Map.Entry<String, T> eldest) {
        return size() > most;
      }
    };
  }
}
