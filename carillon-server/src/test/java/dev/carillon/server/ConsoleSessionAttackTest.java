package dev.carillon.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.carillon.fixture.EmbeddedPostgres;
import dev.carillon.server.signin.ConfiguredToken;
import dev.carillon.server.signin.ConsoleSessions;
import dev.carillon.server.store.ConsoleSessionStore;
import dev.carillon.server.store.TokenStore;
import dev.carillon.server.web.Caller;
import dev.carillon.server.web.Request;
import dev.carillon.server.web.Role;
import dev.carillon.server.web.SignInCheck;
import dev.carillon.store.jdbc.Database;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** What somebody may try with the session of somebody else, or with too many of their own. */
@ExtendWith(EmbeddedPostgres.class)
class ConsoleSessionAttackTest {
  private static final String SESSION = "/api/v1/session";
  private static final String NOOP = "{\"target\": \"noop\", \"timing\": {\"every\": \"PT1H\"}}";

  private final DataSource source;
  private final Site site;

  ConsoleSessionAttackTest(DataSource source) {
    this.source = source;
    this.site = new Site(source, new ConfiguredToken(ConsoleSessionApiTest.SET));
    new Database(source)
        .update(
            "forget the sessions of other tests", "delete from carillon.console_session", b -> {});
  }

  @AfterEach
  void close() {
    site.close();
  }

  private static Request ours(String method, String path) {
    return Request.of(method, path)
        .from("192.0.2.9")
        .header("X-Carillon-Console", "1")
        .header("Sec-Fetch-Site", "same-origin");
  }

  private static String body(String token) {
    return "{\"token\": \"%s\"}".formatted(token);
  }

  private String begin(Request request) {
    Answer begun = site.send(request);
    assertThat(begun.status()).isEqualTo(201);
    String set = begun.headers().getOrDefault("Set-Cookie", "");
    return set.substring(0, set.indexOf(';'));
  }

  private String cookie(Role role) {
    return begin(ours("POST", SESSION).body(body(site.token(role))));
  }

  private Answer send(Request request, String cookie) {
    return site.send(request.header("Cookie", cookie));
  }

  private int me(String cookie) {
    return send(ours("GET", "/api/v1/me"), cookie).status();
  }

  private static long sessions(Database database, String caller) {
    return database.one(
        "count sessions of a test",
        "select count(*) as many from carillon.console_session where caller like :caller",
        bind -> bind.set("caller", caller),
        row -> row.number("many"));
  }

  @Test
  void a_form_of_another_site_changes_nothing() {
    String cookie = cookie(Role.ADMIN);
    site.put("/schedules/by-form", NOOP);
    for (String type :
        List.of("text/plain", "application/x-www-form-urlencoded", "multipart/form-data")) {
      Request form =
          Request.of("POST", "/api/v1/schedules/by-form/run")
              .from("192.0.2.9")
              .header("Content-Type", type)
              .header("Origin", "https://evil.example")
              .header("Sec-Fetch-Site", "cross-site")
              .header("Sec-Fetch-Mode", "navigate");
      assertThat(send(form, cookie).status()).as(type).isEqualTo(403);
    }
    assertThat(site.get("/runs?schedule=by-form").json().at("/items").size()).isZero();
  }

  @Test
  void where_browsers_do_not_tell_the_site_the_origin_must_be_the_host() {
    String cookie = cookie(Role.EDITOR);
    Request plain =
        Request.of("PUT", "/api/v1/schedules/by-origin")
            .from("192.0.2.9")
            .header("X-Carillon-Console", "1")
            .header("Host", "10.0.0.7:8080")
            .body(NOOP);
    Answer refused = send(plain.header("Origin", "http://carillon.lan:8080"), cookie);
    assertThat(refused.status()).isEqualTo(403);
    assertThat(refused.at("/detail"))
        .isEqualTo(
            "The page is at http://carillon.lan:8080 and the server at 10.0.0.7:8080: the cookie of"
                + " the console counts on its own pages only. A proxy must pass Host on, or set"
                + " X-Forwarded-Host.");
    Request forwarded = plain.header("X-Forwarded-Host", "carillon.lan:8080");
    assertThat(send(forwarded.header("Origin", "http://carillon.lan:8080"), cookie).status())
        .isEqualTo(201);
    assertThat(send(forwarded.header("Origin", "http://carillon.lan"), cookie).status())
        .isEqualTo(403);
  }

  @Test
  void to_sign_in_again_ends_the_session_that_the_browser_had() {
    String viewer = cookie(Role.VIEWER);
    String admin =
        begin(ours("POST", SESSION).header("Cookie", viewer).body(body(site.token(Role.ADMIN))));
    assertThat(admin).isNotEqualTo(viewer);
    assertThat(me(viewer)).isEqualTo(401);
    assertThat(me(admin)).isEqualTo(200);
  }

  @Test
  void a_failed_sign_in_leaves_the_session_that_the_browser_had() {
    String cookie = cookie(Role.VIEWER);
    assertThat(send(ours("POST", SESSION).body(body("crl_wrong")), cookie).status()).isEqualTo(401);
    assertThat(me(cookie)).isEqualTo(200);
  }

  @Test
  void to_sign_out_twice_is_harmless_and_ends_no_other_session() {
    String one = cookie(Role.VIEWER);
    String other = cookie(Role.VIEWER);
    Answer first = send(ours("DELETE", SESSION).header("Origin", "https://ops.example"), one);
    assertThat(first.status()).isEqualTo(204);
    assertThat(first.headers().get("Set-Cookie"))
        .isEqualTo("carillon_session=; Max-Age=0; HttpOnly; SameSite=Strict; Secure");
    assertThat(send(ours("DELETE", SESSION), one).status()).isEqualTo(401);
    assertThat(me(other)).isEqualTo(200);
  }

  @Test
  void a_stream_ends_with_the_session_that_opened_it() {
    var store = new ConsoleSessionStore(new Database(source));
    var sessions = new ConsoleSessions(store, Optional.empty(), site.clock);
    var check = new SignInCheck(new TokenStore(new Database(source)), store, site.clock);
    ConsoleSessions.Begun begun =
        sessions.begin(new Caller("somebody", Role.VIEWER, "jwt", "somebody"), "any");
    Caller signedIn = sessions.caller(begun.secret(), true).orElseThrow();

    assertThat(check.ended(List.of(signedIn))).isEmpty();
    sessions.end(begun.secret());
    assertThat(check.ended(List.of(signedIn))).containsExactly(signedIn);
  }

  @Test
  void a_session_makes_no_rights_that_it_does_not_have() {
    String more = "{\"name\": \"more\", \"roles\": [\"admin\"]}";
    for (Role role : List.of(Role.VIEWER, Role.OPERATOR, Role.EDITOR)) {
      String cookie = cookie(role);
      assertThat(send(ours("POST", "/api/v1/tokens").body(more), cookie).status())
          .as(role.word())
          .isEqualTo(403);
      assertThat(send(ours("POST", "/api/v1/sign-in-links"), cookie).status()).isEqualTo(403);
      assertThat(send(ours("GET", "/api/v1/tokens"), cookie).status()).isEqualTo(403);
    }
    String admin = cookie(Role.ADMIN);
    assertThat(send(ours("POST", "/api/v1/tokens").body(more), admin).status()).isEqualTo(201);
  }

  @Test
  void a_token_made_in_a_session_outlives_it_but_not_the_other_way_round() {
    String admin = cookie(Role.ADMIN);
    Answer made =
        send(
            ours("POST", "/api/v1/tokens")
                .body("{\"name\": \"made\", \"roles\": [\"viewer\"], \"expiresIn\": \"PT1H\"}"),
            admin);
    String cookie = begin(ours("POST", SESSION).body(body(made.at("/token"))));
    assertThat(me(cookie)).isEqualTo(200);
    assertThat(send(ours("DELETE", "/api/v1/tokens/" + made.at("/id")), admin).status())
        .isEqualTo(200);
    assertThat(me(cookie)).isEqualTo(401);
    assertThat(me(admin)).isEqualTo(200);
  }

  @Test
  void sessions_by_the_token_that_is_set_end_when_another_is_set() {
    String cookie = begin(ours("POST", SESSION).body(body(ConsoleSessionApiTest.SET)));
    var store = new ConsoleSessionStore(new Database(source));
    String secret = cookie.substring(cookie.indexOf('=') + 1);

    assertThat(known(store, Optional.of(ConsoleSessionApiTest.SET), secret)).isTrue();
    assertThat(known(store, Optional.of("another-token-of-tests"), secret)).isFalse();
    assertThat(known(store, Optional.empty(), secret)).isFalse();
  }

  private boolean known(ConsoleSessionStore store, Optional<String> token, String secret) {
    return new ConsoleSessions(store, token, site.clock).caller(secret, true).isPresent();
  }

  @Test
  void ten_thousand_sessions_become_a_hundred_and_those_that_are_over_go() {
    var database = new Database(source);
    Instant now = site.clock.instant();
    database.update(
        "insert many sessions of a test",
        """
        insert into carillon.console_session
               (hash, credential, name, role, means, caller, created_at, seen_at, expires_at)
        select sha256(n::text::bytea), sha256(n::text::bytea), 'many', 'admin', 'token',
               case when n <= 5000 then 'set' else 'over-' || n end, :now, :now::timestamptz - make_interval(secs => n),
               case when n <= 5000 then :now::timestamptz + interval '1 hour' else :now::timestamptz end
          from generate_series(1, 10000) as n
        """,
        bind -> bind.set("now", now));
    assertThat(sessions(database, "%")).isEqualTo(10_000);

    String cookie = begin(ours("POST", SESSION).body(body(ConsoleSessionApiTest.SET)));
    assertThat(sessions(database, "over-%")).isZero();
    assertThat(sessions(database, "set")).isEqualTo(100);
    assertThat(me(cookie)).isEqualTo(200);
  }

  @Test
  void many_at_once_stay_about_as_many_as_are_allowed() {
    String first = cookie(Role.VIEWER);
    IntStream.range(0, 150).parallel().forEach(i -> cookie(Role.VIEWER));
    long kept = sessions(new Database(source), "%");
    assertThat(kept).isBetween(100L, 116L);
    cookie(Role.VIEWER);
    assertThat(sessions(new Database(source), "%")).isEqualTo(100);
    assertThat(me(first)).isIn(200, 401);
  }

  @Test
  void of_two_cookies_the_first_counts_and_odd_headers_are_no_session() {
    String cookie = cookie(Role.VIEWER);
    String wrong = "carillon_session=crs_" + "B".repeat(43);
    assertThat(me("theme=dark; " + cookie + "; other=1")).isEqualTo(200);
    assertThat(me(cookie + "; " + wrong)).isEqualTo(200);
    assertThat(me(wrong + "; " + cookie)).isEqualTo(401);
    assertThat(me("xcarillon_session=" + cookie.substring(cookie.indexOf('=') + 1))).isEqualTo(401);
    assertThat(me(cookie.substring(0, cookie.length() - 1))).isEqualTo(401);
    assertThat(me(cookie + "x")).isEqualTo(401);
  }

  @Test
  void a_session_lasts_no_longer_if_the_clock_is_asked_often() {
    String cookie = cookie(Role.VIEWER);
    Instant end = site.clock.instant().plus(ConsoleSessions.LIFETIME);
    while (site.clock.instant().isBefore(end)) {
      assertThat(me(cookie)).as(site.clock.instant().toString()).isEqualTo(200);
      site.clock.advance(Duration.ofMinutes(30));
    }
    assertThat(me(cookie)).isEqualTo(401);
  }

  @Test
  void a_page_that_asks_by_itself_does_not_keep_its_session() {
    String cookie = cookie(Role.VIEWER);
    Request unattended = ours("GET", "/api/v1/me").header("X-Carillon-Console", "idle");
    for (int i = 0; i < 8; i++) {
      assertThat(send(unattended, cookie).status()).isEqualTo(200);
      site.clock.advance(Duration.ofMinutes(15));
    }
    assertThat(send(unattended, cookie).status()).isEqualTo(401);
  }

  @Test
  void idle_means_two_hours_to_the_minute() {
    String cookie = cookie(Role.VIEWER);
    site.clock.advance(ConsoleSessions.IDLE.minusSeconds(1));
    assertThat(me(cookie)).isEqualTo(200);
    site.clock.advance(ConsoleSessions.IDLE.minusSeconds(1));
    assertThat(me(cookie)).isEqualTo(200);
    site.clock.advance(ConsoleSessions.IDLE);
    assertThat(me(cookie)).isEqualTo(401);
  }
}
