package dev.carillon.server;

import static org.assertj.core.api.Assertions.assertThat;

import com.nimbusds.jose.JWSAlgorithm;
import dev.carillon.fixture.EmbeddedPostgres;
import dev.carillon.model.ChangedBy;
import dev.carillon.server.signin.ApiTokenSecret;
import dev.carillon.server.signin.JwtSettings;
import dev.carillon.server.signin.JwtSignIn;
import dev.carillon.server.web.Request;
import dev.carillon.server.web.Role;
import dev.carillon.server.web.Route;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Date;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** Every route against every credential that must not open it. */
@ExtendWith(EmbeddedPostgres.class)
class AuthMatrixTest {
  private static final Keys KEYS = new Keys();
  private static final Map<String, List<String>> KEYS_OF_TEAM = Map.of("keys", List.of("team-"));
  private static final String SCHEDULE =
      "{\"target\": \"noop\", \"timing\": {\"cron\": \"0 * * * *\"}}";

  private final Site site;

  AuthMatrixTest(DataSource source, @TempDir Path folder) {
    var settings =
        new JwtSettings(
            Optional.empty(),
            Optional.of(KEYS.writePublic(folder)),
            Keys.ISSUER,
            Keys.AUDIENCE,
            Set.of("RS256"),
            "role",
            "sub");
    site = new Site(source, new JwtSignIn(settings, InstantSource.system()));
  }

  @AfterEach
  void close() {
    site.close();
  }

  private Map<String, String> badCredentials() {
    var bad = new LinkedHashMap<String, String>();
    String good = KEYS.signed(Keys.claims("admin"));
    bad.put("garbage", "Bearer garbage");
    bad.put("empty", "Bearer ");
    bad.put("basic", "Basic YWRtaW46YWRtaW4=");
    bad.put("no scheme", site.token(Role.ADMIN));
    bad.put("unknown token", "Bearer " + ApiTokenSecret.generate());
    bad.put("tampered token", "Bearer " + flipped(site.token(Role.ADMIN)));
    bad.put("token in capitals", "Bearer " + site.token(Role.ADMIN).toUpperCase(Locale.ROOT));
    bad.put("expired token", "Bearer " + expired());
    bad.put("revoked token", "Bearer " + revoked());
    bad.put("tampered claims", "Bearer " + withOtherClaims(good));
    bad.put("tampered signature", "Bearer " + flipped(good));
    bad.put("no signature", "Bearer " + good.substring(0, good.lastIndexOf('.') + 1));
    bad.put("alg none", "Bearer " + Keys.unsigned(Keys.claims("admin")));
    bad.put("HMAC with the public key", "Bearer " + KEYS.signedWithPublicKey(Keys.claims("admin")));
    bad.put(
        "algorithm not listed", "Bearer " + KEYS.signed(JWSAlgorithm.RS512, Keys.claims("admin")));
    bad.put("another's key", "Bearer " + new Keys().signed(Keys.claims("admin")));
    bad.put("wrong issuer", "Bearer " + KEYS.signed(Keys.claims("admin").issuer("https://evil")));
    bad.put("no issuer", "Bearer " + KEYS.signed(Keys.claims("admin").issuer(null)));
    bad.put("wrong audience", "Bearer " + KEYS.signed(Keys.claims("admin").audience("other")));
    bad.put("no audience", "Bearer " + KEYS.signed(Keys.claims("admin").audience((String) null)));
    bad.put(
        "expired JWT",
        "Bearer " + KEYS.signed(Keys.claims("admin").expirationTime(at(Duration.ofMinutes(-5)))));
    bad.put("JWT without end", "Bearer " + KEYS.signed(Keys.claims("admin").expirationTime(null)));
    bad.put(
        "JWT not yet valid",
        "Bearer " + KEYS.signed(Keys.claims("admin").notBeforeTime(at(Duration.ofMinutes(5)))));
    bad.put("JWT without name", "Bearer " + KEYS.signed(Keys.claims("admin").subject(null)));
    bad.put("JWT of an admin with a scope", "Bearer " + scoped("admin", KEYS_OF_TEAM));
    bad.put("JWT with an empty scope", "Bearer " + scoped("viewer", Map.of()));
    bad.put(
        "JWT with an unknown kind of scope",
        "Bearer " + scoped("viewer", Map.of("x", List.of("y"))));
    bad.put("JWT with a scope that is a text", "Bearer " + scoped("viewer", "keys"));
    bad.put("two tokens", "Bearer " + site.token(Role.ADMIN) + "," + site.token(Role.ADMIN));
    return bad;
  }

  @Test
  void nothing_opens_without_a_good_credential() {
    Map<String, String> bad = badCredentials();
    int tried = 0;
    for (Route route : closed()) {
      assertThat(site.send(request(route)).status()).as(route.toString()).isEqualTo(401);
      for (Map.Entry<String, String> credential : bad.entrySet()) {
        Answer answer = site.send(request(route).header("Authorization", credential.getValue()));

        assertThat(answer.status()).as(route + " with " + credential.getKey()).isEqualTo(401);
        assertThat(answer.headers().get("WWW-Authenticate")).startsWith("Bearer realm=");
        tried++;
      }
    }
    assertThat(tried).isGreaterThan(800);
  }

  @Test
  void a_lower_role_is_forbidden_and_the_needed_one_is_let_in() {
    for (Route route : closed()) {
      for (Role role : List.of(Role.VIEWER, Role.OPERATOR, Role.EDITOR, Role.ADMIN)) {
        Request byToken = site.as(role, request(route));
        Request byJwt =
            request(route)
                .header("Authorization", "Bearer " + KEYS.signed(Keys.claims(role.word())));
        boolean enough = role.covers(route.role());

        for (Request request : List.of(byToken, byJwt)) {
          int status = site.send(request).status();
          if (enough) {
            assertThat(status).as(route + " as " + role).isNotIn(401, 403);
          } else {
            assertThat(status).as(route + " as " + role).isEqualTo(403);
          }
        }
      }
    }
  }

  @Test
  void a_jwt_without_a_role_is_known_but_may_do_nothing() {
    for (Route route : closed()) {
      Request request =
          request(route).header("Authorization", "Bearer " + KEYS.signed(Keys.claims("emperor")));

      assertThat(site.send(request).status()).as(route.toString()).isEqualTo(403);
    }
  }

  @Test
  void a_jwt_reaches_what_its_claim_says() {
    site.put("/schedules/team-1", SCHEDULE);
    site.put("/schedules/other-1", SCHEDULE);
    String jwt = scoped("viewer", KEYS_OF_TEAM);

    assertThat(get(jwt, "/api/v1/me").json().path("scope").toString())
        .isEqualTo("{\"keys\":[\"team-\"]}");
    assertThat(get(jwt, "/api/v1/schedules/team-1").status()).isEqualTo(200);
    assertThat(get(jwt, "/api/v1/schedules/other-1").status()).isEqualTo(404);
    assertThat(get(jwt, "/api/v1/nodes").status()).isEqualTo(403);
  }

  private Answer get(String token, String path) {
    return site.send(
        Request.of("GET", path).from("192.0.2.7").header("Authorization", "Bearer " + token));
  }

  private static String scoped(String role, Object scope) {
    return KEYS.signed(Keys.claims(role).claim("carillon_scope", scope));
  }

  private List<Route> closed() {
    List<Route> closed = site.routes.stream().filter(route -> route.role() != Role.OPEN).toList();
    assertThat(closed).hasSizeGreaterThan(35);
    return closed;
  }

  private static Request request(Route route) {
    String path = route.path().replaceAll("\\{[a-z]+}", "x");
    Request request = Request.of(route.method(), path).from("192.0.2.7");
    return route.takes().isPresent() ? request.body("{}") : request;
  }

  private String expired() {
    String token = ApiTokenSecret.generate();
    site.tokens.create(
        "expired",
        ApiTokenSecret.hash(token),
        List.of("admin"),
        Optional.of(site.clock.instant().minusSeconds(1)),
        new ChangedBy(site.clock.instant().minusSeconds(9), "test"));
    return token;
  }

  private String revoked() {
    String token = site.token("revoked", Role.ADMIN);
    var stored = site.tokens.valid(ApiTokenSecret.hash(token), site.clock.instant()).orElseThrow();
    site.tokens.revoke(stored.id(), new ChangedBy(site.clock.instant(), "test"));
    return token;
  }

  private static Date at(Duration fromNow) {
    return Date.from(Instant.now().plus(fromNow));
  }

  /* The last characters carry no whole byte, so one in the middle is changed. */
  private static String flipped(String text) {
    int at = text.length() - 10;
    return text.substring(0, at) + (text.charAt(at) == 'A' ? 'B' : 'A') + text.substring(at + 1);
  }

  private String withOtherClaims(String good) {
    String[] parts = good.split("\\.", -1);
    String other = KEYS.signed(Keys.claims("admin").subject("mallory")).split("\\.", -1)[1];
    return parts[0] + "." + other + "." + parts[2];
  }
}
