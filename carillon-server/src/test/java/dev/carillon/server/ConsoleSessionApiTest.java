package dev.carillon.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.carillon.fixture.EmbeddedPostgres;
import dev.carillon.model.ChangedBy;
import dev.carillon.server.signin.ApiTokenSecret;
import dev.carillon.server.signin.ConfiguredToken;
import dev.carillon.server.signin.ConsoleSessions;
import dev.carillon.server.web.Request;
import dev.carillon.server.web.Role;
import java.time.Duration;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Sessions of the console: what a cookie opens, for how long, and from where. */
@ExtendWith(EmbeddedPostgres.class)
class ConsoleSessionApiTest {
  /** The token that is set where the sites of tests are started. */
  static final String SET = "a-token-that-is-set-in-tests";

  private static final String NOOP = "{\"target\": \"noop\", \"timing\": {\"every\": \"PT1H\"}}";

  private final Site site;

  ConsoleSessionApiTest(DataSource source) {
    site = new Site(source, new ConfiguredToken(SET));
  }

  @AfterEach
  void close() {
    site.close();
  }

  private static Request request(String method, String path) {
    return Request.of(method, "/api/v1" + path)
        .from("192.0.2.9")
        .header("X-Carillon-Console", "1")
        .header("Sec-Fetch-Site", "same-origin");
  }

  private Answer begin(String token) {
    return site.send(request("POST", "/session").body("{\"token\": \"%s\"}".formatted(token)));
  }

  private String cookie(String token) {
    return cookie(begin(token));
  }

  private static String cookie(Answer begun) {
    assertThat(begun.status()).isEqualTo(201);
    String set = begun.headers().getOrDefault("Set-Cookie", "");
    return set.substring(0, set.indexOf(';'));
  }

  private int status(Request request, String cookie) {
    return site.send(request.header("Cookie", cookie)).status();
  }

  private int me(String cookie) {
    return status(request("GET", "/me"), cookie);
  }

  @Test
  void a_session_has_the_role_and_the_scope_of_its_token() {
    String scoped =
        site.post(
                "/tokens",
                "{\"name\": \"team\", \"roles\": [\"viewer\"], \"scope\": {\"keys\": [\"team-\"]}}")
            .at("/token");
    site.put("/schedules/team-1", NOOP);
    site.put("/schedules/other-1", NOOP);
    String cookie = cookie(scoped);

    assertThat(site.send(request("GET", "/me").header("Cookie", cookie)).json().toString())
        .contains("\"name\":\"team\"", "\"role\":\"viewer\"", "team-");
    assertThat(status(request("GET", "/schedules/team-1"), cookie)).isEqualTo(200);
    assertThat(status(request("GET", "/schedules/other-1"), cookie)).isEqualTo(404);
    assertThat(status(request("GET", "/nodes"), cookie)).isEqualTo(403);
    assertThat(status(request("PUT", "/schedules/team-1").body(NOOP), cookie)).isEqualTo(403);
  }

  @Test
  void the_cookie_is_for_the_api_alone_and_secure_where_the_page_was() {
    Answer plain = begin(site.token(Role.VIEWER));
    assertThat(plain.headers().get("Set-Cookie"))
        .matches(
            "carillon_session=crs_[A-Za-z0-9_-]{43}; Max-Age=43200; HttpOnly; SameSite=Strict");
    Answer secure =
        site.send(
            request("POST", "/session")
                .header("Origin", "https://carillon.example")
                .body("{\"token\": \"%s\"}".formatted(site.token(Role.VIEWER))));
    assertThat(secure.headers().get("Set-Cookie")).endsWith("; Secure");
    assertThat(plain.json().toString()).doesNotContain("crs_", "crl_");
  }

  @Test
  void a_link_begins_one_session_and_two_links_two() {
    String link = site.post("/sign-in-links", "").at("/path");
    String body = "{\"code\": \"%s\"}".formatted(link.substring(link.indexOf('#') + 1));
    String first = cookie(site.send(request("POST", "/session").body(body)));
    assertThat(site.send(request("POST", "/session").body(body)).status()).isEqualTo(401);
    String other = site.post("/sign-in-links", "").at("/path");
    String second =
        cookie(
            site.send(
                request("POST", "/session")
                    .body(
                        "{\"code\": \"%s\"}".formatted(other.substring(other.indexOf('#') + 1)))));

    assertThat(second).isNotEqualTo(first);
    assertThat(status(request("DELETE", "/session"), first)).isEqualTo(204);
    assertThat(me(first)).isEqualTo(401);
    assertThat(me(second)).isEqualTo(200);
  }

  @Test
  void a_session_that_is_not_used_ends_after_two_hours_and_any_after_twelve() {
    String idle = cookie(site.token(Role.VIEWER));
    String used = cookie(site.token(Role.VIEWER));
    for (int i = 0; i < 7; i++) {
      assertThat(me(used)).isEqualTo(200);
      site.clock.advance(ConsoleSessions.IDLE.minusMinutes(20));
    }
    assertThat(me(idle)).isEqualTo(401);
    assertThat(me(used)).isEqualTo(200);
    site.clock.advance(Duration.ofMinutes(20));
    assertThat(me(used)).as("after twelve hours").isEqualTo(401);
  }

  @Test
  void a_session_ends_with_its_token() {
    String revoked = site.token("revoked", Role.VIEWER);
    String cookie = cookie(revoked);
    var stored =
        site.tokens.valid(ApiTokenSecret.hash(revoked), site.clock.instant()).orElseThrow();
    site.tokens.revoke(stored.id(), new ChangedBy(site.clock.instant(), "test"));
    assertThat(me(cookie)).isEqualTo(401);

    String brief =
        site.post(
                "/tokens",
                "{\"name\": \"brief\", \"roles\": [\"viewer\"], \"expiresIn\": \"PT10M\"}")
            .at("/token");
    String second = cookie(brief);
    assertThat(me(second)).isEqualTo(200);
    site.clock.advance(Duration.ofMinutes(10));
    assertThat(me(second)).isEqualTo(401);
  }

  @Test
  void the_token_that_is_set_begins_sessions_too() {
    assertThat(me(cookie(SET))).isEqualTo(200);
  }

  @Test
  void a_change_needs_the_header_and_comes_from_the_same_origin() {
    String cookie = cookie(site.token(Role.EDITOR));
    Request bare = Request.of("PUT", "/api/v1/schedules/one").from("192.0.2.9").body(NOOP);
    Request ours = bare.header("X-Carillon-Console", "1");

    assertThat(status(bare, cookie)).isEqualTo(403);
    assertThat(status(bare.header("Sec-Fetch-Site", "same-origin"), cookie)).isEqualTo(403);
    for (String site : new String[] {"cross-site", "same-site", "none", "made-up"}) {
      assertThat(status(ours.header("Sec-Fetch-Site", site), cookie)).as(site).isEqualTo(403);
    }
    Request hosted = ours.header("Host", "carillon.example");
    for (String origin :
        new String[] {"https://evil.example", "null", "https://carillon.example.evil.example"}) {
      assertThat(status(hosted.header("Origin", origin), cookie)).as(origin).isEqualTo(403);
    }
    assertThat(status(hosted.header("Origin", "https://carillon.example"), cookie)).isEqualTo(201);
    assertThat(status(ours.header("Sec-Fetch-Site", "same-origin"), cookie)).isEqualTo(200);
  }

  @Test
  void other_sites_read_nothing_with_the_cookie() {
    String cookie = cookie(site.token(Role.VIEWER));
    Request read = Request.of("GET", "/api/v1/me").from("192.0.2.9");

    assertThat(status(read.header("Sec-Fetch-Site", "cross-site"), cookie)).isEqualTo(403);
    assertThat(status(read.header("Sec-Fetch-Site", "none"), cookie)).isEqualTo(200);
  }

  @Test
  void other_sites_sign_nobody_in() {
    String body = "{\"token\": \"%s\"}".formatted(site.token(Role.VIEWER));
    Request bare = Request.of("POST", "/api/v1/session").from("192.0.2.9").body(body);

    assertThat(site.send(bare).status()).isEqualTo(403);
    assertThat(
            site.send(bare.header("X-Carillon-Console", "1").header("Sec-Fetch-Site", "cross-site"))
                .status())
        .isEqualTo(403);
  }

  @Test
  void a_secret_that_somebody_chose_is_none() {
    String mine = "carillon_session=crs_" + "A".repeat(43);
    assertThat(me(mine)).isEqualTo(401);
    Answer begun =
        site.send(
            request("POST", "/session")
                .header("Cookie", mine)
                .body("{\"token\": \"%s\"}".formatted(site.token(Role.VIEWER))));
    assertThat(cookie(begun)).isNotEqualTo(mine);
    assertThat(me(mine)).isEqualTo(401);
    for (String odd :
        new String[] {
          "carillon_session=", "carillon_session", "carillon_session=" + "x".repeat(7_000)
        }) {
      assertThat(me(odd)).as(odd).isEqualTo(401);
    }
  }

  @Test
  void a_token_outweighs_the_cookie() {
    String cookie = cookie(site.token(Role.VIEWER));
    Request both =
        request("GET", "/me").header("Authorization", "Bearer " + site.token(Role.ADMIN));
    assertThat(site.send(both.header("Cookie", cookie)).at("/role")).isEqualTo("admin");
    assertThat(status(request("GET", "/me").header("Authorization", "Bearer wrong"), cookie))
        .isEqualTo(401);
  }

  @Test
  void neither_or_both_of_token_and_code_are_refused() {
    for (String body :
        new String[] {
          "{}", "{\"token\": \"x\", \"code\": \"y\"}", "{\"token\": 7}", "{\"tokn\": \"x\"}"
        }) {
      assertThat(site.send(request("POST", "/session").body(body)).status())
          .as(body)
          .isEqualTo(422);
    }
    assertThat(begin("wrong").status()).isEqualTo(401);
  }

  @Test
  void who_signs_in_and_out_is_in_the_audit() {
    String cookie = cookie(site.token(Role.OPERATOR));
    status(request("DELETE", "/session"), cookie);

    assertThat(site.get("/audit").json().toString())
        .contains("console_session.created", "console_session.ended");
  }

  @Test
  void one_caller_has_a_hundred_sessions_at_most() {
    String first = cookie(site.token(Role.VIEWER));
    for (int i = 0; i < 100; i++) {
      site.clock.advance(Duration.ofSeconds(1));
      cookie(site.token(Role.VIEWER));
    }
    assertThat(me(first)).isEqualTo(401);
  }
}
