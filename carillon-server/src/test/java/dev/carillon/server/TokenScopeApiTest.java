package dev.carillon.server;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.carillon.fixture.EmbeddedPostgres;
import dev.carillon.server.web.Request;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tokens that reach some targets, tags or keys only. */
@ExtendWith(EmbeddedPostgres.class)
class TokenScopeApiTest {
  private static final String HOURLY = "\"timing\": {\"cron\": \"0 * * * *\"}";

  private final Site site;

  TokenScopeApiTest(DataSource source) {
    site = new Site(source);
  }

  @AfterEach
  void close() {
    site.close();
  }

  private Answer create(String roles, String scope) {
    return site.post(
        "/tokens",
        "{\"name\": \"limited\", \"roles\": [%s], \"scope\": %s}".formatted(roles, scope));
  }

  private String token(String role, String scope) {
    Answer made = create("\"" + role + "\"", scope);
    assertThat(made.status()).as(made.text()).isEqualTo(201);
    return made.at("/token");
  }

  private Answer send(String token, String method, String path, String body) {
    Request request = site.request(method, path, body).header("Authorization", "Bearer " + token);
    return site.send(request);
  }

  private static String definition(String target, String... tags) {
    String quoted = String.join(",", Stream.of(tags).map(tag -> "\"" + tag + "\"").toList());
    return "{\"target\": \"%s\", \"tags\": [%s], %s}".formatted(target, quoted, HOURLY);
  }

  private void schedule(String key, String target, String... tags) {
    Answer made = site.put("/schedules/" + key.replace("%", "%25"), definition(target, tags));
    assertThat(made.status()).as(made.text()).isIn(200, 201);
  }

  private List<String> keys(String token, String path) {
    Answer page = send(token, "GET", path, "");
    assertThat(page.status()).as(page.text()).isEqualTo(200);
    var keys = new ArrayList<String>();
    page.json().path("items").forEach(item -> keys.add(item.path("key").asText()));
    return keys;
  }

  @Test
  void a_token_reaches_what_matches_each_kind_of_its_scope_by_one_of_the_values() {
    schedule("kinds-a-1", "noop", "red");
    schedule("kinds-a-2", "log", "red", "blue");
    schedule("kinds-b-1", "noop", "blue");
    schedule("kinds-b-2", "log");

    assertThat(keys(token("viewer", "{\"targets\": [\"noop\"]}"), "/schedules?q=kinds-"))
        .containsExactly("kinds-a-1", "kinds-b-1");
    assertThat(keys(token("viewer", "{\"tags\": [\"red\", \"blue\"]}"), "/schedules?q=kinds-"))
        .containsExactly("kinds-a-1", "kinds-a-2", "kinds-b-1");
    assertThat(keys(token("viewer", "{\"keys\": [\"kinds-b-\"]}"), "/schedules?q=kinds-"))
        .containsExactly("kinds-b-1", "kinds-b-2");
    assertThat(
            keys(
                token(
                    "viewer",
                    "{\"targets\": [\"log\"], \"tags\": [\"red\"], \"keys\": [\"kinds-a\"]}"),
                "/schedules?q=kinds-"))
        .containsExactly("kinds-a-2");
  }

  @Test
  void prefixes_of_keys_are_literal_and_exact() {
    schedule("a%b", "noop");
    schedule("axb", "noop");
    schedule("a_c", "noop");
    schedule("ayc", "noop");
    schedule("Team-1", "noop");
    schedule("team-1", "noop");
    schedule("t\u00e9-1", "noop");

    assertThat(keys(token("viewer", "{\"keys\": [\"a%\"]}"), "/schedules")).containsExactly("a%b");
    assertThat(keys(token("viewer", "{\"keys\": [\"a_\"]}"), "/schedules")).containsExactly("a_c");
    assertThat(keys(token("viewer", "{\"keys\": [\"team\"]}"), "/schedules"))
        .containsExactly("team-1");
    assertThat(keys(token("viewer", "{\"keys\": [\"te\u0301\"]}"), "/schedules")).isEmpty();
    String wild = token("editor", "{\"keys\": [\"a%\"]}");
    assertThat(send(wild, "GET", "/schedules/axb", "").status()).isEqualTo(404);
    assertThat(send(wild, "PUT", "/schedules/axz", definition("noop")).status()).isEqualTo(403);
  }

  @Test
  void pages_are_full_and_go_on_where_they_ended() {
    for (int i = 10; i < 20; i++) {
      schedule("page-" + i, i % 2 == 0 ? "noop" : "log");
    }
    String token = token("viewer", "{\"targets\": [\"noop\"]}");
    var seen = new ArrayList<String>();
    String cursor = "";
    do {
      Answer page = send(token, "GET", "/schedules?q=page-&limit=2" + cursor, "");
      JsonNode items = page.json().path("items");
      assertThat(items.size()).isBetween(1, 2);
      items.forEach(item -> seen.add(item.path("key").asText()));
      JsonNode next = page.json().path("nextCursor");
      cursor = next.isNull() ? "" : "&cursor=" + next.asText();
    } while (!cursor.isEmpty());

    assertThat(seen).containsExactly("page-10", "page-12", "page-14", "page-16", "page-18");
  }

  @Test
  void an_edit_cannot_move_a_schedule_out_of_the_scope_or_into_it() {
    schedule("job-1", "noop", "mine");
    schedule("job-2", "noop", "theirs");
    String byTag = token("editor", "{\"tags\": [\"mine\"]}");

    assertThat(refusal(send(byTag, "PATCH", "/schedules/job-1", "{\"tags\": [\"other\"]}")))
        .isEqualTo("/tags");
    assertThat(refusal(send(byTag, "PUT", "/schedules/job-1", definition("noop"))))
        .isEqualTo("/tags");
    assertThat(refusal(send(byTag, "PUT", "/schedules/job-2", definition("noop", "mine"))))
        .isEqualTo("/key");
    assertThat(
            refusal(send(byTag, "PUT", "/schedules/job-2?dryRun=true", definition("noop", "mine"))))
        .isEqualTo("/key");
    assertThat(
            refusal(
                send(
                    byTag,
                    "POST",
                    "/schedules",
                    "{\"key\": \"job-2\", " + definition("noop", "mine").substring(1))))
        .isEqualTo("/key");
    assertThat(send(byTag, "PATCH", "/schedules/job-2", "{\"tags\": [\"mine\"]}").status())
        .isEqualTo(404);
    assertThat(site.get("/schedules/job-2").at("/tags/0")).isEqualTo("theirs");
    assertThat(site.get("/schedules/job-1").at("/tags/0")).isEqualTo("mine");
  }

  private static String refusal(Answer answer) {
    assertThat(answer.status()).as(answer.text()).isEqualTo(403);
    assertThat(answer.at("/code")).isEqualTo("out-of-scope");
    return answer.at("/errors/0/pointer");
  }

  @Test
  void versions_that_were_outside_of_the_scope_are_not_shown_or_brought_back() {
    schedule("moved", "log");
    schedule("moved", "noop");
    String token = token("editor", "{\"targets\": [\"noop\"]}");

    Answer versions = send(token, "GET", "/schedules/moved/versions", "");
    assertThat(versions.json().path("items")).hasSize(1);
    assertThat(send(token, "GET", "/schedules/moved/versions/1", "").status()).isEqualTo(404);
    assertThat(send(token, "GET", "/schedules/moved/versions/1/diff", "").status()).isEqualTo(404);
    assertThat(send(token, "POST", "/schedules/moved/rollback", "{\"version\": 1}").status())
        .isEqualTo(404);
  }

  @Test
  void an_unknown_target_is_not_answered_with_those_outside_of_the_scope() {
    String token = token("editor", "{\"targets\": [\"noop\", \"gone\"]}");

    Answer unknown = send(token, "PUT", "/schedules/a", definition("gone"));
    assertThat(unknown.status()).isEqualTo(422);
    assertThat(unknown.text()).contains("noop").doesNotContain("log", "fail");
    assertThat(refusal(send(token, "PUT", "/schedules/a", definition("log")))).isEqualTo("/target");
    assertThat(refusal(send(token, "PUT", "/schedules/a", definition("nonsense"))))
        .isEqualTo("/target");
  }

  @Test
  void the_scope_is_shown_with_the_token_and_to_its_holder() {
    Answer made = create("\"viewer\"", "{\"targets\": [\"noop\"], \"keys\": [\"a-\"]}");

    assertThat(made.json().path("scope").toString())
        .isEqualTo("{\"targets\":[\"noop\"],\"keys\":[\"a-\"]}");
    assertThat(site.get("/tokens/" + made.at("/id")).json().path("scope"))
        .isEqualTo(made.json().path("scope"));
    assertThat(made.at("/roles/0")).isEqualTo("viewer");
    assertThat(send(made.at("/token"), "GET", "/me", "").json().path("scope"))
        .isEqualTo(made.json().path("scope"));
    assertThat(site.get("/me").json().path("scope").isNull()).isTrue();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{}",
        "{\"targets\": []}",
        "{\"targets\": [\"\"]}",
        "{\"target\": [\"noop\"]}",
        "{\"tags\": \"red\"}",
        "{\"tags\": [1]}",
        "[]",
        "\"noop\""
      })
  void a_scope_that_says_nothing_or_nonsense_is_refused(String scope) {
    Answer refused = create("\"viewer\"", scope);

    assertThat(refused.status()).as(refused.text()).isEqualTo(422);
    assertThat(refused.at("/errors/0/pointer")).startsWith("/scope");
  }

  @Test
  void an_administrator_cannot_have_a_scope() {
    assertThat(create("\"admin\"", "{\"keys\": [\"a\"]}").status()).isEqualTo(422);
    assertThat(create("\"viewer\", \"admin\"", "{\"keys\": [\"a\"]}").status()).isEqualTo(422);
  }

  @Test
  void a_worker_with_a_scope_cannot_fetch_or_end_what_is_outside() {
    site.put("/targets/mine", "{\"type\": \"worker\"}");
    site.put("/targets/theirs", "{\"type\": \"worker\"}");
    site.post("/runs", "{\"target\": \"theirs\"}");
    JsonNode run =
        site.post("/workers/claim", "{\"worker\": \"anna\", \"targets\": [\"theirs\"]}")
            .json()
            .at("/runs/0");
    String token = token("operator", "{\"targets\": [\"mine\"]}");

    for (String targets :
        List.of("[\"*\"]", "[\"theirs\"]", "[\"mine\", \"theirs\"]", "[\"MINE\"]")) {
      Answer claim =
          send(
              token,
              "POST",
              "/workers/claim",
              "{\"worker\": \"eve\", \"targets\": %s}".formatted(targets));
      assertThat(refusal(claim)).isEqualTo("/targets");
    }
    for (String fence : List.of("guessed", run.get("fence").asText())) {
      Answer done =
          send(
              token,
              "POST",
              "/workers/complete",
              "[{\"id\": \"%s\", \"attempt\": 1, \"fence\": \"%s\", \"outcome\": \"succeeded\"}]"
                  .formatted(run.get("id").asText(), fence));
      assertThat(done.at("/runs/0/answer")).isEqualTo("unknown");
    }
    assertThat(site.get("/runs/" + run.get("id").asText()).at("/state")).isEqualTo("running");
  }
}
