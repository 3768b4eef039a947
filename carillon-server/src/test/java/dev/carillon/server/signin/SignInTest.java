package dev.carillon.server.signin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.carillon.fixture.Await;
import dev.carillon.fixture.EmbeddedPostgres;
import dev.carillon.fixture.Wiretap;
import dev.carillon.model.ChangedBy;
import dev.carillon.server.store.TokenHashes;
import dev.carillon.server.store.TokenStore;
import dev.carillon.server.web.Caller;
import dev.carillon.server.web.ProblemException;
import dev.carillon.server.web.Request;
import dev.carillon.server.web.Role;
import dev.carillon.store.jdbc.Database;
import dev.carillon.testing.TestClock;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/** What failed sign-ins cost, and whom they hinder. */
@ExtendWith(EmbeddedPostgres.class)
@Timeout(60)
class SignInTest {
  private static final int MOST = 5;
  private static final String HERE = "192.0.2.1";

  private final TestClock clock = TestClock.at("2026-01-01T00:00:00Z");
  private final DataSource postgres;
  private final Wiretap wiretap;
  private final TokenStore tokens;
  private final SignIn signIn;

  SignInTest(DataSource postgres) {
    this.postgres = postgres;
    wiretap = new Wiretap(postgres);
    var database = new Database(wiretap.dataSource());
    tokens = new TokenStore(database);
    signIn = signIn(new ApiTokens(tokens, new TokenHashes(database), clock));
  }

  private SignIn signIn(BearerToken... known) {
    return new SignIn(List.of(known), List.of(known), ClientCertificates.NONE, MOST, clock);
  }

  @Test
  void a_valid_token_is_accepted_at_once_where_a_thousand_wrong_ones_came_from() {
    String valid = token();
    for (int i = 0; i < 1_000; i++) {
      assertThat(status(wrong(), HERE)).isEqualTo(i < MOST ? 401 : 429);
    }

    assertThat(status(valid, HERE)).isEqualTo(200);
    clock.advance(Duration.ofSeconds(1));
    assertThat(status(token(), HERE)).as("made after the failures").isEqualTo(200);
    assertThat(status(wrong(), HERE)).isEqualTo(429);
  }

  @Test
  void a_token_is_accepted_in_the_moment_in_which_it_was_made_where_many_failed() {
    for (int i = 0; i <= MOST; i++) {
      status(wrong(), HERE);
    }

    assertThat(status(token(), HERE)).isEqualTo(200);
    assertThat(status(wrong(), HERE)).isEqualTo(429);
  }

  @Test
  void a_token_is_accepted_where_many_failed_while_another_request_reads_all_tokens()
      throws Exception {
    for (int i = 0; i < 20; i++) {
      status(wrong(), HERE);
    }
    String valid = token();
    clock.advance(Duration.ofMillis(500));
    try (var connection = postgres.getConnection();
        var statement = connection.createStatement()) {
      connection.setAutoCommit(false);
      statement.execute("lock table carillon.api_token in access exclusive mode");
      var reading = CompletableFuture.supplyAsync(() -> status(wrong(), HERE));
      Await.until("one request reads", () -> waitsForLock(connection));
      var signedIn = CompletableFuture.supplyAsync(() -> status(valid, HERE));
      CompletableFuture.anyOf(
              signedIn, new CompletableFuture<>().completeOnTimeout(0, 200, TimeUnit.MILLISECONDS))
          .join();
      connection.rollback();

      assertThat(signedIn.join()).isEqualTo(200);
      assertThat(reading.join()).isEqualTo(429);
    }
  }

  private static boolean waitsForLock(Connection connection) {
    try (var statement = connection.createStatement();
        var rows =
            statement.executeQuery(
                """
                select 1 from pg_locks
                 where not granted and relation = 'carillon.api_token'::regclass
                """)) {
      return rows.next();
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  @Test
  void a_flood_of_unknown_tokens_is_no_flood_of_queries() {
    for (int i = 0; i < 1_000; i++) {
      status(wrong(), HERE);
    }
    long before = wiretap.statements();
    for (int i = 0; i < 1_000; i++) {
      status(wrong(), HERE);
    }

    assertThat(wiretap.statements() - before).isLessThan(10);
  }

  @Test
  void nor_is_one_from_ever_other_addresses() {
    for (int i = 0; i < 1_000; i++) {
      status(wrong(), address(i));
    }
    long before = wiretap.statements();
    for (int i = 1_000; i < 2_000; i++) {
      assertThat(status(wrong(), address(i))).isEqualTo(429);
    }

    assertThat(wiretap.statements() - before).isLessThan(10);
    clock.advance(Duration.ofMillis(250));
    assertThat(status(token(), address(2_000))).isEqualTo(200);
  }

  @Test
  void one_wrong_token_from_many_addresses_is_slowed_down_and_others_are_not() {
    String wrong = wrong();
    for (int i = 0; i < MOST; i++) {
      assertThat(status(wrong, address(i))).isEqualTo(401);
    }

    assertThat(status(wrong, address(MOST))).isEqualTo(429);
    assertThat(status(wrong(), address(MOST))).isEqualTo(401);
  }

  @Test
  void addresses_of_one_ipv6_network_count_as_one() {
    for (int i = 0; i < MOST; i++) {
      assertThat(status(wrong(), "2001:db8:1:2::" + i)).isEqualTo(401);
    }

    assertThat(status(wrong(), "2001:db8:1:2:ffff:ffff:ffff:ffff")).isEqualTo(429);
    assertThat(status(wrong(), "2001:db8:1:3::1")).isEqualTo(401);
  }

  @Test
  void the_wait_is_told_and_ends() {
    for (int i = 0; i < MOST; i++) {
      status(wrong(), HERE);
    }
    clock.advance(Duration.ofSeconds(20));
    var refused = catchThrowableOfType(ProblemException.class, () -> signedIn(wrong(), HERE));

    assertThat(refused.problem().reply("/").headers()).containsEntry("Retry-After", "41");
    clock.advance(Duration.ofSeconds(41));
    assertThat(status(wrong(), HERE)).isEqualTo(401);
  }

  @Test
  void costly_checks_are_made_one_at_a_time_where_many_failed_and_a_valid_credential_passes() {
    var atOnce = new AtomicInteger();
    var mostAtOnce = new AtomicInteger();
    SignIn costly =
        signIn(
            token -> {
              mostAtOnce.accumulateAndGet(atOnce.incrementAndGet(), Math::max);
              ApiTokenSecret.hash(token.repeat(1_000)); // takes a while
              atOnce.decrementAndGet();
              return token.equals("a.good.one")
                  ? Optional.of(new Caller("ann", Role.VIEWER, "jwt", "ann"))
                  : Optional.empty();
            });
    for (int i = 0; i < MOST; i++) {
      status(costly, "a.wrong." + i, HERE);
    }
    mostAtOnce.set(0);
    var flood =
        List.of(1, 2, 3, 4).stream()
            .map(
                sender ->
                    CompletableFuture.runAsync(
                        () -> {
                          for (int i = 0; i < 500; i++) {
                            status(costly, "a.wrong." + sender + i, HERE);
                          }
                        }))
            .toList();

    assertThat(status(costly, "a.good.one", HERE)).isEqualTo(200);
    flood.forEach(CompletableFuture::join);
    assertThat(mostAtOnce).hasValue(1);
  }

  @Test
  void a_revoked_token_ends_though_it_was_known() {
    String valid = token();
    for (int i = 0; i <= MOST; i++) {
      status(wrong(), HERE);
    }
    assertThat(status(valid, HERE)).isEqualTo(200);
    var by = new ChangedBy(clock.instant(), "ann");
    tokens.revoke(tokens.valid(ApiTokenSecret.hash(valid), clock.instant()).orElseThrow().id(), by);

    assertThat(status(valid, HERE)).isEqualTo(401);
    assertThat(status(valid, HERE)).isEqualTo(429);
  }

  private String token() {
    String token = ApiTokenSecret.generate();
    tokens.create(
        "name",
        ApiTokenSecret.hash(token),
        List.of("viewer"),
        Optional.empty(),
        new ChangedBy(clock.instant(), "ann"));
    return token;
  }

  private static String wrong() {
    return "crl_" + UUID.randomUUID();
  }

  private static String address(int number) {
    return "10.1.%s.%s".formatted(number / 256, number % 256);
  }

  private Caller signedIn(String token, String address) {
    return signIn.apply(request(token, address));
  }

  private int status(String token, String address) {
    return status(signIn, token, address);
  }

  private static int status(SignIn signIn, String token, String address) {
    try {
      signIn.apply(request(token, address));
      return 200;
    } catch (ProblemException e) {
      return e.problem().kind().status();
    }
  }

  private static Request request(String token, String address) {
    return Request.of("GET", "/").header("Authorization", "Bearer " + token).from(address);
  }
}
