package dev.carillon.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.carillon.fixture.EmbeddedPostgres;
import dev.carillon.fixture.PostgresServer;
import dev.carillon.server.Issuer.Manner;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** A whole server whose callers come with JWTs of an issuer on the network. */
@ExtendWith(EmbeddedPostgres.class)
@Timeout(120)
class JwksServingTest {
  private static String me(Running server, Keys keys, String role) {
    var answer = server.send(keys.signed(Keys.claims(role)), "GET", "/me", "");
    return answer.statusCode() == 200
        ? Answer.parse(answer.body()).path("role").asText()
        : String.valueOf(answer.statusCode());
  }

  @Test
  void keys_come_from_an_address_that_targets_may_not_have_and_change_while_it_runs(
      PostgresServer postgres, @TempDir Path folder) throws Exception {
    var one = new Keys("one");
    var two = new Keys("two");
    var never = new Keys("never");
    try (var issuer = new Issuer()) {
      issuer.publish(one);
      Map<String, String> flags =
          Map.of(
              "jwt-jwks-url",
              issuer.url().toString(),
              "jwt-issuer",
              Keys.ISSUER,
              "jwt-audience",
              Keys.AUDIENCE,
              "sign-in-failures",
              "1000");
      try (var server = new Running(postgres, folder, flags)) {
        assertThat(me(server, one, "editor")).isEqualTo("editor");
        assertThat(me(server, one, "viewer")).isEqualTo("viewer");
        assertThat(issuer.asked()).isEqualTo(1);

        issuer.publish(one, two);
        assertThat(me(server, two, "operator")).isEqualTo("operator");
        for (int i = 0; i < 20; i++) {
          assertThat(me(server, never, "admin")).isEqualTo("401");
        }
        assertThat(issuer.asked()).isEqualTo(2);

        issuer.answers(Manner.NOT);
        assertThat(me(server, one, "admin")).isEqualTo("admin");
        assertThat(me(server, two, "admin")).isEqualTo("admin");
        assertThat(server.get("/me").path("signedInBy").asText()).isEqualTo("token");
      }
    }
  }

  @Test
  void an_issuer_that_never_answers_does_not_hold_up_other_callers(
      PostgresServer postgres, @TempDir Path folder) throws Exception {
    try (var issuer = new Issuer()) {
      issuer.answers(Manner.NOT);
      Map<String, String> flags =
          Map.of(
              "jwt-jwks-url", issuer.url().toString(),
              "jwt-issuer", Keys.ISSUER,
              "jwt-audience", Keys.AUDIENCE);
      try (var server = new Running(postgres, folder, flags)) {
        assertThat(me(server, new Keys("one"), "admin")).isEqualTo("401");
        assertThat(me(server, new Keys("two"), "admin")).isEqualTo("401");
        assertThat(issuer.asked()).isEqualTo(1);
        assertThat(server.get("/me").path("role").asText()).isEqualTo("admin");
      }
    }
  }
}
