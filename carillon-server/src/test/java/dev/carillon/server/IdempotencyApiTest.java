package dev.carillon.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.carillon.fixture.EmbeddedPostgres;
import dev.carillon.server.signin.ClientCertificates;
import dev.carillon.server.signin.JwtSettings;
import dev.carillon.server.signin.JwtSignIn;
import dev.carillon.server.signin.SignIn;
import dev.carillon.server.web.Caller;
import dev.carillon.server.web.Request;
import dev.carillon.server.web.Role;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.time.InstantSource;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** Whose an {@code Idempotency-Key} is. */
@ExtendWith(EmbeddedPostgres.class)
class IdempotencyApiTest {
  private static final Keys KEYS = new Keys();
  private final Site site;
  private final Path folder;

  IdempotencyApiTest(DataSource source, @TempDir Path folder) {
    this.folder = folder;
    var settings =
        new JwtSettings(
            Optional.empty(),
            Optional.of(KEYS.writePublic(folder)),
            Keys.ISSUER,
            Keys.AUDIENCE,
            Set.of("RS256"),
            "role",
            "name");
    site = new Site(source, new JwtSignIn(settings, InstantSource.system()));
  }

  @AfterEach
  void close() {
    site.close();
  }

  private String run(String token, String key) {
    Answer made =
        site.send(
            Request.of("POST", "/api/v1/runs")
                .body("{\"target\": \"noop\"}")
                .header("Authorization", "Bearer " + token)
                .header("Idempotency-Key", key)
                .from("192.0.2.1"));
    assertThat(made.status()).as(made.text()).isEqualTo(202);
    return made.at("/id");
  }

  private String jwt(String subject) {
    return KEYS.signed(Keys.claims("operator").subject(subject).claim("name", "Ann"));
  }

  @Test
  void tokens_of_the_same_name_do_not_share_keys() {
    String one = site.token("twin", Role.OPERATOR);
    String other = site.token("twin", Role.OPERATOR);
    String first = run(one, "twins");

    assertThat(run(other, "twins")).isNotEqualTo(first);
    assertThat(run(one, "twins")).isEqualTo(first);
  }

  @Test
  void certificates_of_the_same_name_are_those_of_different_callers() throws Exception {
    var signIn =
        new SignIn(
            List.of(),
            List.of(),
            new ClientCertificates(Map.of("ops.example.org", Role.OPERATOR)),
            1,
            InstantSource.system());
    var identities = new HashSet<String>();
    for (String subject : List.of("ann", "bob")) {
      X509Certificate shown = new Certified(folder, subject, "DNS:ops.example.org").x509();
      Caller caller = signIn.apply(Request.of("GET", "/").certificate(shown));
      assertThat(caller.name()).isEqualTo("ops.example.org");
      identities.add(caller.identity());
    }
    assertThat(identities).hasSize(2);
  }

  @Test
  void people_of_the_same_name_do_not_share_keys_but_each_has_them_whatever_the_jwt() {
    String first = run(jwt("ann-1"), "anns");

    assertThat(run(jwt("ann-2"), "anns")).isNotEqualTo(first);
    assertThat(run(jwt("ann-1"), "anns")).isEqualTo(first);
  }
}
