package dev.carillon.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.carillon.fixture.EmbeddedPostgres;
import dev.carillon.server.web.Request;
import dev.carillon.server.web.Role;
import java.util.List;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Secrets that are kept, dry runs and tests of targets. */
@ExtendWith(EmbeddedPostgres.class)
class TargetApiTest {
  private static final String SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
  private static final String OTHER = "whsec_XfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";

  private final Site site;
  private final String path = "/targets/target-" + Long.toHexString(System.nanoTime());

  TargetApiTest(DataSource source) {
    site = new Site(source);
  }

  @AfterEach
  void close() {
    site.close();
  }

  @Test
  void a_secret_that_is_left_out_is_kept_and_null_takes_it_away() {
    site.put(path, http("\"secret\": \"" + SECRET + "\""));
    assertThat(site.put(path, http("\"timeout\": \"5s\"")).at("/secrets")).isEqualTo("1");
    assertThat(site.get(path).at("/timeout")).isEqualTo("PT5S");

    assertThat(site.put(path, http("\"secret\": null")).at("/secrets")).isEqualTo("0");
    assertThat(
            site.put(path, http("\"secrets\": [\"%s\", \"%s\"]".formatted(SECRET, OTHER)))
                .at("/secrets"))
        .isEqualTo("2");
    assertThat(site.put(path, http("\"method\": \"PUT\"")).at("/secrets")).isEqualTo("2");
    assertThat(site.put(path, http("\"secret\": \"" + SECRET + "\"")).at("/secrets"))
        .isEqualTo("1");
    assertThat(site.put(path, "{\"type\": \"worker\"}").status()).isEqualTo(200);
    assertThat(site.put(path, http("\"method\": \"PUT\"")).at("/secrets")).isEqualTo("0");
  }

  @Test
  void a_dry_run_shows_what_would_change_and_hides_what_is_secret() {
    assertThat(site.put(path + "?dryRun=true", http("\"method\": \"PUT\"")).at("/result"))
        .isEqualTo("created");
    assertThat(site.get(path).status()).isEqualTo(404);

    String body = http("\"secret\": \"%s\"".formatted(SECRET));
    site.put(path, body);
    assertThat(site.put(path + "?dryRun=true", body).at("/result")).isEqualTo("unchanged");
    Answer changed =
        site.put(
            path + "?dryRun=true",
            http("\"secret\": \"%s\", \"timeout\": \"5s\"".formatted(OTHER)));
    assertThat(changed.at("/result")).isEqualTo("changed");
    assertThat(changed.text())
        .contains("\"field\":\"timeout\",\"from\":\"PT30S\",\"to\":\"PT5S\"")
        .contains("\"field\":\"secret\",\"from\":\"(hidden)\"")
        .doesNotContain(SECRET, OTHER);
    assertThat(site.put(path + "?dryRun=true", body).at("/result")).isEqualTo("unchanged");
  }

  @Test
  void the_query_of_a_url_is_shown_only_to_those_who_may_change_it() {
    site.put(
        path,
        """
        {"type": "http", "url": "https://hook.invalid/in?key=canary-q",
         "statusUrl": "https://hook.invalid/status?key=canary-s"}
        """);

    assertThat(site.get(path).at("/url")).isEqualTo("https://hook.invalid/in?key=canary-q");
    for (Role role : List.of(Role.VIEWER, Role.OPERATOR, Role.EDITOR)) {
      Answer shown = site.send(site.as(role, Request.of("GET", Site.ROOT + path)));
      assertThat(shown.at("/url")).isEqualTo("https://hook.invalid/in");
      assertThat(shown.at("/statusUrl")).isEqualTo("https://hook.invalid/status");
      assertThat(site.send(site.as(role, Request.of("GET", Site.ROOT + "/targets"))).text())
          .contains("https://hook.invalid/in\"")
          .doesNotContain("canary");
    }
  }

  @Test
  void an_address_that_is_refused_is_warned_of_with_the_setting() {
    Answer put = site.put(path, http("\"method\": \"POST\""));

    assertThat(put.status()).isEqualTo(201);
    assertThat(put.at("/warnings/0/code")).isEqualTo("address_refused");
    assertThat(put.at("/warnings/0/message")).contains("(serve --allowed-hosts 127.0.0.1)");
  }

  @Test
  void an_operator_may_test_a_target_and_a_viewer_may_not() {
    site.put(path, http("\"method\": \"POST\""));
    var test = site.request("POST", path + "/test", "{\"payload\": {\"a\": 1}}");

    Answer told = site.sendAndWait(site.as(Role.OPERATOR, test)).join();
    assertThat(told.status()).isEqualTo(200);
    assertThat(told.at("/result")).isEqualTo("failed");
    assertThat(told.at("/failure/code")).isEqualTo("address_refused");
    assertThat(site.send(site.as(Role.VIEWER, test)).status()).isEqualTo(403);
    var noop = site.sendAndWait(site.request("POST", "/targets/noop/test", "{}"));
    assertThat(noop.join().at("/result")).isEqualTo("succeeded");
    assertThat(site.post("/targets/nobody/test", "{}").at("/code")).isEqualTo("target-unknown");
    assertThat(site.post("/targets/noop/test", "{\"paylod\": {}}").status()).isEqualTo(422);
  }

  private static String http(String more) {
    return "{\"type\": \"http\", \"url\": \"http://127.0.0.1:9/x\", %s}".formatted(more);
  }
}
