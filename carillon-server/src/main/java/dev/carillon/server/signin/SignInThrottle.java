package dev.carillon.server.signin;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The failed sign-ins of the last minute: by address, by credential, and all together. It refuses
 * nobody; it says which credentials are suspect, so that they are looked at only at a bounded cost.
 */
final class SignInThrottle {
  private static final Duration WINDOW = Duration.ofMinutes(1);
  private static final int MAX_REMEMBERED = 10_000;

  /* How many addresses may fail as often as allowed before all unknown credentials are suspect. */
  private static final int MAX_FAILING_ADDRESSES = 30;
  private static final Duration MIN_WAIT = Duration.ofSeconds(1);

  private final InstantSource clock;
  private final int most;
  private final Map<String, Count> byNetwork = recent(MAX_REMEMBERED);
  private final Map<String, Count> byCredential = recent(MAX_REMEMBERED);
  private final Map<String, Boolean> good = recent(MAX_REMEMBERED);
  private Count all = new Count(Instant.EPOCH, 0);

  private record Count(Instant since, int failures) {
    Count oneMore(Instant now) {
      return isOver(now) ? new Count(now, 1) : new Count(since, failures + 1);
    }

    boolean isOver(Instant now) {
      return !now.isBefore(since.plus(WINDOW)) || now.isBefore(since);
    }
  }

  SignInThrottle(InstantSource clock, int most) {
    this.clock = clock;
    this.most = most;
  }

  /**
   * Return how long a caller with this credential has to wait if it is not valid; empty if there
   * were few failures, or the credential was good a short while ago.
   */
  synchronized Optional<Duration> suspect(String address, String fingerprint) {
    if (good.containsKey(fingerprint)) {
      return Optional.empty();
    }
    Instant now = clock.instant();
    return exceeded(byNetwork.get(ClientNetwork.of(address)), now)
        .or(() -> exceeded(byCredential.get(fingerprint), now))
        .or(
            () ->
                !all.isOver(now) && all.failures >= (long) most * MAX_FAILING_ADDRESSES
                    ? Optional.of(MIN_WAIT)
                    : Optional.empty());
  }

  private Optional<Duration> exceeded(@Nullable Count count, Instant now) {
    return count == null || count.failures < most || count.isOver(now)
        ? Optional.empty()
        : Optional.of(WINDOW.minus(Duration.between(count.since, now)));
  }

  synchronized void failed(String address, String fingerprint) {
    good.remove(fingerprint);
    Instant now = clock.instant();
    count(byNetwork, ClientNetwork.of(address), now);
    count(byCredential, fingerprint, now);
    all = all.oneMore(now);
  }

  private static void count(Map<String, Count> counts, String key, Instant now) {
    counts.merge(key, new Count(now, 1), (before, first) -> before.oneMore(now));
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
