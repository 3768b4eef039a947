package dev.carillon.server.signin;

import static org.assertj.core.api.Assertions.assertThat;

import com.nimbusds.jose.jwk.JWK;
import com.nimbusds.jose.jwk.JWKMatcher;
import com.nimbusds.jose.jwk.JWKSelector;
import com.nimbusds.jose.jwk.JWKSet;
import com.nimbusds.jose.jwk.OctetSequenceKey;
import dev.carillon.fixture.Await;
import dev.carillon.testing.TestClock;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class PublishedKeysTest {
  private final TestClock clock = TestClock.at("2026-01-01T00:00:00Z");
  private final Deque<CompletableFuture<JWKSet>> fetches = new ArrayDeque<>();
  private final PublishedKeys keys = new PublishedKeys(this::fetch, clock);

  private CompletableFuture<JWKSet> fetch() {
    fetches.add(new CompletableFuture<>());
    return fetches.getLast();
  }

  private static JWK key(String name) {
    return new OctetSequenceKey.Builder(new byte[32]).keyID(name).build();
  }

  /** Selects the key of this name, and does something whenever it looks at another. */
  private static JWKSelector select(String name, Runnable onOther) {
    return new JWKSelector(
        new JWKMatcher(
            null, null, null, null, null, false, false, false, false, false, false, 0, 0, null,
            null, null, false) {
          @Override
          public boolean matches(JWK key) {
            if (!key.getKeyID().equals(name)) {
              onOther.run();
            }
            return key.getKeyID().equals(name);
          }
        });
  }

  @Test
  void keys_renewed_while_the_old_ones_are_gone_through_are_not_fetched_again() {
    var first = CompletableFuture.supplyAsync(() -> keys.get(select("one", () -> {}), null));
    Await.until("a fetch", () -> !fetches.isEmpty());
    fetches.getLast().complete(new JWKSet(key("one")));
    assertThat(first.join()).hasSize(1);
    clock.advance(Duration.ofMinutes(6));

    assertThat(
            keys.get(select("two", () -> fetches.getLast().complete(new JWKSet(key("two")))), null))
        .hasSize(1);
    assertThat(fetches).hasSize(2);
  }
}
