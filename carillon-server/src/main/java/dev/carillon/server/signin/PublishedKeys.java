package dev.carillon.server.signin;

import com.nimbusds.jose.jwk.JWK;
import com.nimbusds.jose.jwk.JWKSelector;
import com.nimbusds.jose.jwk.JWKSet;
import com.nimbusds.jose.jwk.source.JWKSource;
import com.nimbusds.jose.proc.SecurityContext;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The public keys an issuer publishes. Known keys are renewed in the background and outlast an
 * outage; an unknown key is looked for once, however many requests need it, and none waits for
 * long.
 */
final class PublishedKeys implements JWKSource<SecurityContext> {
  /** How long keys are used without a look at whether they are still published. */
  static final Duration FRESH = Duration.ofMinutes(5);

  /** How long keys are used while their issuer cannot be reached. */
  static final Duration OUTAGE = Duration.ofDays(1);

  /** How long the issuer is not asked after a search that found nothing. */
  static final Duration PAUSE = Duration.ofSeconds(10);

  private static final Logger LOG = LoggerFactory.getLogger(PublishedKeys.class);

  private final InstantSource clock;
  private final Supplier<CompletableFuture<JWKSet>> fetch;

  /* Guarded by this. */
  private JWKSet known = new JWKSet();
  private Instant knownAt = Instant.EPOCH;
  private Instant notBefore = Instant.EPOCH;
  private CompletableFuture<Boolean> search = CompletableFuture.completedFuture(false);

  PublishedKeys(URI url, InstantSource clock) {
    this(new KeyFetch(url)::keys, clock);
  }

  PublishedKeys(Supplier<CompletableFuture<JWKSet>> fetch, InstantSource clock) {
    this.fetch = fetch;
    this.clock = clock;
  }

  @Override
  public List<JWK> get(JWKSelector selector, @Nullable SecurityContext context) {
    JWKSet tried = known();
    List<JWK> found = selector.select(tried);
    return found.isEmpty() && newerThan(tried).join() ? selector.select(known()) : found;
  }

  /** Return the keys known now; if they are not fresh any more, have them renewed meanwhile. */
  private synchronized JWKSet known() {
    Duration age = age();
    if (age.compareTo(OUTAGE) > 0 && !known.isEmpty()) {
      known = new JWKSet();
    }
    if (age.compareTo(FRESH) > 0) {
      look();
    }
    return known;
  }

  private Duration age() {
    return Duration.between(knownAt, clock.instant());
  }

  /* The keys tried may have been renewed meanwhile: then the issuer is not asked. */
  @SuppressWarnings("ReferenceEquality")
  private synchronized CompletableFuture<Boolean> newerThan(JWKSet tried) {
    if (known == tried) {
      look();
    }
    return search;
  }

  /* A search that is under way serves all requests that need one. */
  private void look() {
    if (search.isDone() && !clock.instant().isBefore(notBefore)) {
      boolean fresh = age().compareTo(FRESH) <= 0;
      search = fetch.get().handle((keys, trouble) -> ended(keys, trouble, fresh));
    }
  }

  private synchronized boolean ended(
      @Nullable JWKSet keys, @Nullable Throwable trouble, boolean wereFresh) {
    Instant now = clock.instant();
    if (keys == null) {
      LOG.warn("the keys of JWTs cannot be had: {}; known ones go on", KeyFetch.words(trouble));
      notBefore = now.plus(PAUSE);
      return false;
    }
    known = keys;
    knownAt = now;
    // Fetched while fresh: for a key that may not exist, and may be asked for again and again.
    notBefore = wereFresh ? now.plus(PAUSE) : now;
    return true;
  }
}
