package dev.carillon.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.carillon.event.EngineLoop;
import dev.carillon.fixture.EmbeddedPostgres;
import dev.carillon.server.web.Request;
import dev.carillon.server.web.Role;
import java.time.Duration;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(EmbeddedPostgres.class)
class AdminApiTest {
  private final Site site;
  private final String label = "target-" + Long.toHexString(System.nanoTime());

  AdminApiTest(DataSource source) {
    site = new Site(source);
  }

  @AfterEach
  void close() {
    site.close();
  }

  @Test
  void a_target_is_defined_shown_without_its_secrets_and_removed() {
    String body =
        """
        {"type": "http", "url": "https://hooks.example.org/x", "secret": "whsec_%s",
         "headers": {"X-Key": "canary-header"}, "maxConcurrent": 3}
        """
            .formatted("MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw");
    Answer created = site.put("/targets/" + label, body);
    Answer again = site.put("/targets/" + label, body);

    assertThat(created.status()).isEqualTo(201);
    assertThat(again.status()).isEqualTo(200);
    assertThat(again.headers().get("ETag")).isEqualTo(created.headers().get("ETag"));
    for (Answer answer :
        new Answer[] {created, site.get("/targets"), site.get("/targets/" + label)}) {
      assertThat(answer.text()).doesNotContain("whsec", "MfKQ", "canary-header").contains("X-Key");
    }
    var stale = site.request("PUT", "/targets/" + label, "{\"type\": \"worker\"}");
    assertThat(site.send(stale.header("If-Match", "\"0\"")).status()).isEqualTo(412);
    assertThat(site.delete("/targets/" + label).status()).isEqualTo(204);
    assertThat(site.delete("/targets/" + label).at("/code")).isEqualTo("target-unknown");
    assertThat(site.get("/targets/" + label).status()).isEqualTo(404);
  }

  @Test
  void a_target_in_use_stays() {
    site.put("/targets/" + label, "{\"type\": \"worker\"}");
    site.put(
        "/schedules/" + label,
        "{\"target\": \"%s\", \"timing\": {\"every\": \"PT1H\"}}".formatted(label));

    assertThat(site.delete("/targets/" + label).at("/code")).isEqualTo("target-in-use");
    site.delete("/schedules/" + label);
    assertThat(site.delete("/targets/" + label).status()).isEqualTo(204);
    assertThat(
            site.put(
                    "/schedules/" + label,
                    "{\"target\": \"%s\", \"timing\": {\"every\": \"PT1H\"}}".formatted(label))
                .at("/errors/0/pointer"))
        .isEqualTo("/target");
  }

  @Test
  void an_invalid_target_is_refused_with_its_errors() {
    assertThat(site.put("/targets/" + label, "{}").at("/errors/0/pointer")).isEqualTo("/type");
    assertThat(site.put("/targets/" + label, "{\"type\": \"htp\"}").at("/detail"))
        .endsWith("did you mean http?");
    assertThat(
            site.put(
                    "/targets/" + label,
                    "{\"type\": \"http\", \"url\": \"ftp://x\", \"timeout\": 3}")
                .json()
                .at("/errors")
                .findValuesAsText("pointer"))
        .contains("/url", "/timeout");
    assertThat(site.put("/targets/" + label, "{\"type\": \"worker\", \"url\": \"x\"}").status())
        .isEqualTo(422);
    assertThat(site.put("/targets/log", "{\"type\": \"worker\"}").at("/code"))
        .isEqualTo("target-built-in");
    assertThat(site.delete("/targets/fail").at("/code")).isEqualTo("target-built-in");
    assertThat(site.put("/targets/%20x", "{\"type\": \"worker\"}").status()).isEqualTo(422);
    assertThat(site.get("/targets/fail").at("/type")).isEqualTo("handler");
    assertThat(site.get("/targets/log").at("/type")).isEqualTo("log");
  }

  @Test
  void a_token_is_shown_once_works_and_ends_at_once_when_revoked() {
    Answer made = site.post("/tokens", "{\"name\": \"ci\", \"roles\": [\"viewer\"]}");
    Request me =
        Request.of("GET", "/api/v1/me").header("Authorization", "Bearer " + made.at("/token"));

    assertThat(made.status()).isEqualTo(201);
    assertThat(site.send(me).json())
        .isEqualTo(
            Answer.parse(
                "{\"name\":\"ci\",\"role\":\"viewer\",\"signedInBy\":\"token\", \"scope\": null}"));
    assertThat(site.get("/tokens").text()).doesNotContain(made.at("/token")).contains("\"ci\"");
    assertThat(site.get("/tokens/" + made.at("/id")).at("/lastUsedAt")).isNotEqualTo("null");
    assertThat(site.delete("/tokens/" + made.at("/id")).at("/revokedBy")).isEqualTo("admin");
    assertThat(site.send(me).status()).isEqualTo(401);
    assertThat(site.delete("/tokens/x").at("/code")).isEqualTo("token-unknown");
  }

  @Test
  void a_token_ends_when_it_expires() {
    Answer made =
        site.post(
            "/tokens", "{\"name\": \"short\", \"roles\": [\"viewer\"], \"expiresIn\": \"PT1H\"}");
    Request me =
        Request.of("GET", "/api/v1/me").header("Authorization", "bearer " + made.at("/token"));

    assertThat(site.send(me).status()).isEqualTo(200);
    site.clock.advance(Duration.ofHours(1));
    assertThat(site.send(me).status()).isEqualTo(401);
  }

  @Test
  void a_token_that_makes_no_sense_is_refused() {
    assertThat(site.post("/tokens", "{}").json().at("/errors").findValuesAsText("pointer"))
        .containsExactly("/name", "/roles");
    for (String body :
        new String[] {
          "{\"name\": \"x\", \"roles\": []}",
          "{\"name\": \"x\", \"roles\": [\"root\"]}",
          "{\"name\": \" \", \"roles\": [\"viewer\"]}",
          "{\"name\": \"x\", \"roles\": [\"viewer\"], \"expiresAt\": \"2020-01-01T00:00:00Z\"}",
          "{\"name\": \"x\", \"roles\": [\"viewer\"], \"expiresIn\": \"PT-1S\"}"
        }) {
      assertThat(site.post("/tokens", body).status()).as(body).isEqualTo(422);
    }
  }

  @Test
  void a_token_request_is_never_remembered() {
    var request =
        site.request("POST", "/tokens", "{\"name\": \"x\", \"roles\": [\"viewer\"]}")
            .header("Idempotency-Key", label);

    assertThat(site.send(request).at("/token")).isNotEqualTo(site.send(request).at("/token"));
  }

  @Test
  void nodes_are_listed_and_one_of_them_leads() {
    assertThat(site.get("/nodes").json().at("/items").findValuesAsText("leader"))
        .containsExactly("false");
    site.carillon.turn(EngineLoop.HOUSEKEEPING);
    Answer nodes = site.get("/nodes");

    assertThat(nodes.json().at("/items").findValuesAsText("self")).contains("true");
    assertThat(nodes.json().at("/items").findValuesAsText("leader")).containsExactly("true");
    assertThat(nodes.at("/items/0/leaderSince")).startsWith("2026-01-01T00:00");
  }

  @Test
  void every_change_is_in_the_audit_with_its_caller() {
    site.put("/targets/" + label, "{\"type\": \"worker\"}");
    site.send(
        site.as(Role.EDITOR, Request.of("PUT", "/api/v1/schedules/" + label))
            .body("{\"target\": \"noop\", \"timing\": {\"every\": \"PT1H\"}}"));
    Answer audit = site.get("/audit?limit=1&actor=editor&schedule=" + label);

    assertThat(audit.at("/items/0/action")).isEqualTo("schedule.created");
    assertThat(site.get("/audit?action=target.defined").status()).isEqualTo(200);
    assertThat(site.get("/audit?cursor=x").status()).isEqualTo(400);
  }
}
