package dev.carillon.server.signin;

import dev.carillon.server.store.TokenHashes;
import dev.carillon.store.jdbc.StoreException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Which API tokens there are, from memory: wrong tokens are told apart from valid ones with at most
 * four queries a second, however many are tried. A token may be missing for as long as that after
 * it was made.
 */
final class KnownTokens {
  private static final Duration REFRESH_INTERVAL = Duration.ofMillis(250);

  private final TokenHashes store;
  private final InstantSource clock;
  private final ReentrantLock refreshing = new ReentrantLock();
  private volatile @Nullable Known known;

  private record Known(Set<Long> prefixes, Instant readAt) {}

  KnownTokens(TokenHashes store, InstantSource clock) {
    this.store = store;
    this.clock = clock;
  }

  /** Return false if no valid token has this hash; true if the database has to be asked. */
  boolean mayInclude(byte[] hash) {
    long prefix = TokenHashes.prefix(hash);
    Known now = known;
    if (now != null && now.prefixes.contains(prefix)) {
      return true;
    }
    Known newer = refreshed(now);
    return newer == null || newer.prefixes.contains(prefix);
  }

  private @Nullable Known refreshed(@Nullable Known before) {
    Instant now = clock.instant();
    if (before != null && isFresh(before, now)) {
      return before;
    }
    // One request reads; the others go by what was read before. Without that they wait for it.
    if (before == null) {
      refreshing.lock();
    } else if (!refreshing.tryLock()) {
      return before;
    }
    try {
      Known meanwhile = known;
      if (meanwhile == null || !isFresh(meanwhile, now)) {
        known = new Known(Set.copyOf(store.validAt(now)), now);
      }
    } catch (StoreException e) {
      // An outage is reported to whoever asks the database for a token that it may know.
      return before;
    } finally {
      refreshing.unlock();
    }
    return known;
  }

  /* A clock that was set back must not keep the old tokens until it has caught up. */
  private static boolean isFresh(Known read, Instant now) {
    return Duration.between(read.readAt, now).abs().compareTo(REFRESH_INTERVAL) < 0;
  }
}
