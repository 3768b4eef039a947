package dev.carillon.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.carillon.fixture.EmbeddedPostgres;
import dev.carillon.server.web.Request;
import dev.carillon.server.web.Role;
import java.time.Duration;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Pings over REST. */
@ExtendWith(EmbeddedPostgres.class)
class PingApiTest {
  private final Site site;
  private final String key = "ping-" + Long.toHexString(System.nanoTime());

  PingApiTest(DataSource source) {
    site = new Site(source);
  }

  @AfterEach
  void close() {
    site.delete("/pings/" + key);
    site.close();
  }

  private Answer define(String more) {
    return site.put(
        "/pings/" + key,
        "{\"expect\": {\"successEvery\": \"P1D\", \"grace\": \"PT1H\"}%s}".formatted(more));
  }

  @Test
  void a_check_is_defined_pinged_shown_and_deleted() {
    Answer made = define(", \"escalateTo\": \"noop\", \"description\": \"the backup\"");
    Answer again = define(", \"escalateTo\": \"noop\", \"description\": \"the backup\"");
    Answer begun = site.post("/pings/" + key + "/start", "{}");
    Answer done =
        site.post(
            "/pings/" + key + "/success",
            "{\"durationMs\": 1500, \"exitCode\": 0, \"output\": \"42 files\"}");
    Answer shown = site.get("/pings/" + key);

    assertThat(made.status()).isEqualTo(201);
    assertThat(made.at("/status")).isEqualTo("new");
    assertThat(made.json().get("expect").toString())
        .isEqualTo("{\"successEvery\":\"P1D\",\"cron\":null,\"zone\":null,\"grace\":\"PT1H\"}");
    assertThat(again.status()).isEqualTo(200);
    assertThat(begun.at("/status")).isEqualTo("new");
    assertThat(done.status()).isEqualTo(200);
    assertThat(done.at("/status")).isEqualTo("up");
    assertThat(shown.json().get("pings")).hasSize(2);
    assertThat(shown.at("/pings/0/kind")).isEqualTo("success");
    assertThat(shown.at("/pings/0/durationMs")).isEqualTo("1500");
    assertThat(shown.at("/pings/0/output")).isEqualTo("42 files");
    assertThat(site.get("/pings?limit=500").text()).contains("\"key\":\"" + key + "\"");
    assertThat(site.delete("/pings/" + key).status()).isEqualTo(204);
    assertThat(site.get("/pings/" + key).at("/code")).isEqualTo("ping-unknown");
    assertThat(site.post("/pings/" + key, "{}").status()).isEqualTo(404);
  }

  @Test
  void a_target_that_a_check_escalates_to_cannot_be_removed_and_it_says_why() {
    String label = "pager-" + key;
    assertThat(site.put("/targets/" + label, "{\"type\": \"noop\"}").status()).isEqualTo(201);
    define(", \"escalateTo\": \"%s\"".formatted(label));

    Answer refused = site.delete("/targets/" + label);
    assertThat(refused.at("/code")).isEqualTo("target-in-use");
    assertThat(refused.at("/detail")).isEqualTo("1 ping escalates to this target.");
    define("");
    assertThat(site.delete("/targets/" + label).status()).isEqualTo(204);
  }

  @Test
  void a_ping_needs_no_body_and_a_plain_one_is_a_success() {
    define("");
    Answer answer = site.send(site.as(Role.OPERATOR, Request.of("POST", "/api/v1/pings/" + key)));

    assertThat(answer.status()).isEqualTo(200);
    assertThat(answer.at("/status")).isEqualTo("up");
  }

  @Test
  void what_is_down_is_in_health_and_escalated() {
    define(", \"escalateTo\": \"noop\"");
    site.carillon.pass(Duration.ofHours(25));
    Answer health = site.send(site.as(Role.VIEWER, Request.of("GET", "/health")));

    assertThat(site.get("/pings/" + key).at("/status")).isEqualTo("down");
    assertThat(health.status()).isEqualTo(503);
    assertThat(health.at("/reasons/0")).contains("ping " + key);
    assertThat(site.get("/runs?correlation=ping:" + key).json().get("items")).hasSize(1);
    assertThat(site.send(site.as(Role.VIEWER, Request.of("GET", "/metrics"))).text())
        .contains("carillon_silent 1.0", "carillon_silences_total 1.0");
  }

  @Test
  void a_ping_that_is_sent_twice_with_a_key_is_heard_once() {
    define("");
    Request request =
        site.as(Role.OPERATOR, Request.of("POST", "/api/v1/pings/" + key))
            .header("Idempotency-Key", "once-" + key);
    site.send(request);
    site.send(request);

    assertThat(site.get("/pings/" + key).json().get("pings")).hasSize(1);
  }

  @Test
  void a_token_of_one_crontab_pings_its_own_only() {
    define("");
    Answer made =
        site.post(
            "/tokens",
            "{\"name\": \"cron\", \"roles\": [\"operator\"], \"scope\": {\"keys\": [\"%s\"]}}"
                .formatted(key));
    String token = made.at("/token");
    Request own =
        Request.of("POST", "/api/v1/pings/" + key).header("Authorization", "Bearer " + token);
    Request redefine =
        Request.of("PUT", "/api/v1/pings/" + key)
            .header("Authorization", "Bearer " + token)
            .body("{\"expect\": {\"successEvery\": \"P2D\"}}");
    Request other =
        Request.of("POST", "/api/v1/pings/other").header("Authorization", "Bearer " + token);

    assertThat(site.send(own.from("192.0.2.7")).status()).isEqualTo(200);
    assertThat(site.send(redefine.from("192.0.2.7")).status()).isEqualTo(403);
    assertThat(site.send(other.from("192.0.2.7")).status()).isEqualTo(404);
  }

  @Test
  void bad_input_is_refused_where_it_is() {
    assertThat(site.put("/pings/" + key, "{}").at("/errors/0/pointer")).isEqualTo("/expect");
    assertThat(
            site.put("/pings/" + key, "{\"expect\": {\"cron\": \"0 25 * * *\"}}")
                .at("/errors/0/pointer"))
        .isEqualTo("/expect/cron");
    assertThat(
            site.put("/pings/" + key, "{\"expect\": {\"grace\": \"PT1H\"}}")
                .at("/errors/0/pointer"))
        .isEqualTo("/expect/successEvery");
    assertThat(
            site.put(
                    "/pings/" + key,
                    "{\"expect\": {\"successEvery\": \"P1D\"}, \"escalateTo\": \"nobody\"}")
                .at("/errors/0/pointer"))
        .isEqualTo("/escalateTo");
    define("");
    Answer large = site.post("/pings/" + key, "{\"output\": \"%s\"}".formatted("x".repeat(10_001)));
    assertThat(large.status()).isEqualTo(422);
    assertThat(large.at("/errors/0/pointer")).isEqualTo("/output");
  }

  @Test
  void more_pings_than_sixty_a_minute_are_not_heard() {
    define("");
    for (int i = 0; i < 60; i++) {
      assertThat(site.post("/pings/" + key, "{}").status()).isEqualTo(200);
    }
    Answer more = site.post("/pings/" + key, "{}");

    assertThat(more.status()).isEqualTo(429);
    assertThat(more.at("/code")).isEqualTo("too-many-pings");
    assertThat(more.headers()).containsEntry("Retry-After", "60");
  }

  private Answer expect(String expect) {
    return site.put("/pings/" + key, "{\"expect\": %s}".formatted(expect));
  }

  @Test
  void a_cron_expression_without_a_zone_is_on_the_clock_of_utc() {
    Answer made = expect("{\"cron\": \"0 2 * * *\"}");

    assertThat(made.status()).as(made.text()).isEqualTo(201);
    assertThat(made.at("/expect/zone")).isEqualTo("UTC");
  }

  @Test
  void what_no_success_can_be_expected_by_is_refused_at_its_place() {
    Answer never = expect("{\"cron\": \"0 0 0 1 1 ? 2020\"}");
    Answer zone = expect("{\"successEvery\": \"P1D\", \"zone\": \"Europe/Rome\"}");

    assertThat(never.status()).isEqualTo(422);
    assertThat(never.at("/errors/0/pointer")).isEqualTo("/expect/cron");
    assertThat(zone.status()).isEqualTo(422);
    assertThat(zone.at("/errors/0/pointer")).isEqualTo("/expect/zone");
    assertThat(zone.at("/errors/0/message")).isEqualTo("a zone goes with cron; leave it out");
    assertThat(site.get("/pings/" + key).status()).isEqualTo(404);
  }
}
