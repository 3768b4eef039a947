package dev.carillon.server.signin;

import dev.carillon.server.store.TokenHashes;
import dev.carillon.store.jdbc.StoreException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Which API tokens there are, from memory: wrong tokens are told apart from valid ones with at most
 * eight queries a second, however many are tried. Half of them read all tokens; the others look for
 * one that is not among them, since it may have been made meanwhile.
 */
final class KnownTokens {
  private static final Duration REFRESH_INTERVAL = Duration.ofMillis(250);
  private static final Duration MAX_WAIT = Duration.ofSeconds(1);
  private static final Duration LOOKUP_INTERVAL = Duration.ofSeconds(1);
  private static final int MAX_LOOKUPS = 4;

  private final TokenHashes store;
  private final InstantSource clock;
  private final ReentrantLock refreshing = new ReentrantLock();
  private volatile @Nullable Known known;

  /* Guarded by this. */
  private Instant lookedUpSince = Instant.EPOCH;
  private int lookups;

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
    return newer == null || newer.prefixes.contains(prefix) || mayBeLookedUp();
  }

  private synchronized boolean mayBeLookedUp() {
    Instant now = clock.instant();
    if (!isWithin(LOOKUP_INTERVAL, lookedUpSince, now)) {
      lookedUpSince = now;
      lookups = 0;
    }
    return lookups++ < MAX_LOOKUPS;
  }

  private @Nullable Known refreshed(@Nullable Known before) {
    Instant now = clock.instant();
    if (before != null && isFresh(before, now)) {
      return before;
    }
    // One request reads, the others wait for it: what was read before may be old.
    if (!lock()) {
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

  private boolean lock() {
    try {
      return refreshing.tryLock(MAX_WAIT.toMillis(), TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  private static boolean isFresh(Known read, Instant now) {
    return isWithin(REFRESH_INTERVAL, read.readAt, now);
  }

  /* A clock that was set back must not keep the old tokens until it has caught up. */
  private static boolean isWithin(Duration interval, Instant since, Instant now) {
    return Duration.between(since, now).abs().compareTo(interval) < 0;
  }
}
