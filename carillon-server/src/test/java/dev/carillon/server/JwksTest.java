package dev.carillon.server;

import static org.assertj.core.api.Assertions.assertThat;

import com.nimbusds.jose.jwk.JWKSet;
import com.nimbusds.jose.jwk.OctetSequenceKey;
import dev.carillon.fixture.Await;
import dev.carillon.server.Issuer.Manner;
import dev.carillon.server.signin.JwtSettings;
import dev.carillon.server.signin.JwtSignIn;
import dev.carillon.server.web.Role;
import dev.carillon.testing.TestClock;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** JWTs whose keys are published somewhere, and what happens when they are not. */
@Timeout(60)
class JwksTest {
  private static final byte[] SECRET =
      "a secret of thirty-two bytes or more".getBytes(StandardCharsets.US_ASCII);

  private static final Keys ONE = new Keys("one");
  private static final Keys TWO = new Keys("two");

  private final TestClock clock = TestClock.at("2026-01-01T00:00:00Z");
  private final Issuer issuer = new Issuer();
  private final JwtSignIn jwtSignIn = new JwtSignIn(settings(), clock);

  JwksTest() throws IOException {
    issuer.publish(ONE);
  }

  @AfterEach
  void close() {
    issuer.close();
  }

  private JwtSettings settings() {
    return new JwtSettings(
        Optional.of(issuer.url()),
        Optional.empty(),
        Keys.ISSUER,
        Keys.AUDIENCE,
        JwtSettings.DEFAULT_ALGORITHMS,
        "role",
        "sub");
  }

  private boolean signsIn(Keys keys) {
    return signsIn(keys.signed(Keys.claims("editor")));
  }

  private boolean signsIn(String token) {
    return jwtSignIn.caller(token).isPresent();
  }

  @Test
  void a_published_key_is_fetched_once_for_all() {
    var caller = jwtSignIn.caller(ONE.signed(Keys.claims("editor"))).orElseThrow();

    assertThat(caller.name()).isEqualTo("ann");
    assertThat(caller.role()).isEqualTo(Role.EDITOR);
    for (int i = 0; i < 20; i++) {
      assertThat(signsIn(ONE)).isTrue();
    }
    assertThat(issuer.asked()).isEqualTo(1);
  }

  @Test
  void a_key_that_takes_over_is_found_at_once_and_the_one_before_ends() {
    assertThat(signsIn(ONE)).isTrue();
    issuer.publish(TWO);

    assertThat(signsIn(TWO)).isTrue();
    assertThat(signsIn(ONE)).isFalse();
    assertThat(issuer.asked()).isEqualTo(2);
  }

  @Test
  void a_key_that_is_not_published_any_more_ends_within_minutes() {
    assertThat(signsIn(ONE)).isTrue();
    issuer.publish(TWO);
    clock.advance(Duration.ofMinutes(6));

    Await.until("the old key to end", () -> !signsIn(ONE));
    assertThat(signsIn(TWO)).isTrue();
    assertThat(issuer.asked())
        .isBetween(2, 3); // the last who came with the old key had it looked for
  }

  @Test
  void an_unknown_key_is_looked_for_once_however_many_ask() {
    assertThat(signsIn(ONE)).isTrue();
    String unknown = TWO.signed(Keys.claims("admin"));
    var asking =
        IntStream.range(0, 50)
            .mapToObj(i -> CompletableFuture.supplyAsync(() -> signsIn(unknown)))
            .toList();

    assertThat(asking).allMatch(answer -> !answer.join());
    var strangers = List.of(new Keys("k0"), new Keys("k1"));
    assertThat(IntStream.range(0, 50)).allMatch(i -> !signsIn(strangers.get(i % 2)));
    assertThat(issuer.asked()).isEqualTo(2);
    clock.advance(Duration.ofSeconds(11));
    assertThat(signsIn(unknown)).isFalse();
    assertThat(signsIn(unknown)).isFalse();
    assertThat(issuer.asked()).isEqualTo(3);
  }

  @ParameterizedTest
  @EnumSource(names = "WELL", mode = EnumSource.Mode.EXCLUDE)
  void known_keys_outlast_an_issuer_that_answers(Manner badly) {
    assertThat(signsIn(ONE)).isTrue();
    issuer.publish(TWO);
    issuer.answers(badly);
    clock.advance(Duration.ofMinutes(6));

    assertThat(signsIn(ONE)).isTrue();
    assertThat(signsIn(TWO)).isFalse(); // waits for the answer that does not come, and not for long
    int asked = issuer.asked();
    for (int i = 0; i < 10; i++) {
      assertThat(signsIn(TWO)).isFalse();
      assertThat(signsIn(ONE)).isTrue();
    }
    assertThat(issuer.asked()).isEqualTo(asked);
    issuer.answers(Manner.WELL);
    clock.advance(Duration.ofSeconds(11));
    assertThat(signsIn(TWO)).isTrue();
    assertThat(issuer.asked()).isEqualTo(asked + 1);
  }

  @Test
  void an_outage_of_more_than_a_day_ends_known_keys() {
    assertThat(signsIn(ONE)).isTrue();
    issuer.answers(Manner.WITH_AN_ERROR);
    clock.advance(Duration.ofHours(23));
    assertThat(signsIn(ONE)).isTrue();
    clock.advance(Duration.ofHours(2));

    assertThat(signsIn(ONE)).isFalse();
    issuer.answers(Manner.WELL);
    clock.advance(Duration.ofSeconds(11));
    assertThat(signsIn(ONE)).isTrue();
  }

  @Test
  void an_issuer_that_is_not_there_yet_is_asked_again_after_a_while() {
    issuer.answers(Manner.BY_HANGING_UP);
    assertThat(IntStream.range(0, 20)).allMatch(i -> !signsIn(ONE));
    assertThat(issuer.asked())
        .isLessThanOrEqualTo(2); // a connection that ends early is tried twice
    issuer.answers(Manner.WELL);
    assertThat(signsIn(ONE)).isFalse();

    clock.advance(Duration.ofSeconds(11));
    assertThat(signsIn(ONE)).isTrue();
  }

  @Test
  void whoever_has_a_known_key_does_not_wait_for_others() {
    assertThat(signsIn(ONE)).isTrue();
    issuer.answers(Manner.NOT);
    var waiting = CompletableFuture.supplyAsync(() -> signsIn(TWO));
    Await.until("a second fetch", () -> issuer.asked() >= 2);

    assertThat(signsIn(ONE)).isTrue();
    assertThat(waiting).isNotDone();
    assertThat(waiting.join()).isFalse();
  }

  @Test
  void nothing_but_a_signature_of_a_published_key_counts() throws IOException {
    var secret = new OctetSequenceKey.Builder(SECRET).keyID("one").build();
    issuer.publish(ONE.published(), secret);
    try (var evil = new Issuer()) {
      evil.publish(TWO);
      Stream.of(
              Keys.unsigned(Keys.claims("admin")),
              ONE.signedWithPublicKey(Keys.claims("admin")),
              ONE.signedWith(SECRET, Keys.claims("admin")),
              ONE.signedWith(
                  ONE.published().toJSONString().getBytes(StandardCharsets.UTF_8),
                  Keys.claims("admin")),
              new Keys("one").signed(Keys.claims("admin")),
              TWO.signedPointingTo(evil.url(), Keys.claims("admin")))
          .forEach(token -> assertThat(signsIn(token)).as(token).isFalse());
      assertThat(evil.asked()).isZero();
      assertThat(signsIn(ONE)).isTrue();
    }
  }

  @Test
  void a_shared_key_signs_in_where_shared_keys_are_accepted(@TempDir Path folder)
      throws IOException {
    Path file =
        Files.writeString(
            folder.resolve("shared.json"),
            new JWKSet(new OctetSequenceKey.Builder(SECRET).keyID("one").build()).toString(false));
    var shared =
        new JwtSignIn(
            new JwtSettings(
                Optional.empty(),
                Optional.of(file),
                Keys.ISSUER,
                Keys.AUDIENCE,
                Set.of("HS256"),
                "role",
                "sub"),
            clock);

    assertThat(shared.caller(ONE.signedWith(SECRET, Keys.claims("viewer")))).isPresent();
    assertThat(shared.caller(ONE.signed(Keys.claims("viewer")))).isEmpty();
    assertThat(shared.caller(Keys.unsigned(Keys.claims("viewer")))).isEmpty();
  }
}
