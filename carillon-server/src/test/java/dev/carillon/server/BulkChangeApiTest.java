package dev.carillon.server;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.carillon.fixture.EmbeddedPostgres;
import dev.carillon.model.RunId;
import java.util.List;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Changes of many say how many they expect, or that all are meant; empty text is never all. */
@ExtendWith(EmbeddedPostgres.class)
class BulkChangeApiTest {
  private final Site site;
  private final String word = "w" + Long.toHexString(System.nanoTime());

  BulkChangeApiTest(DataSource source) {
    site = new Site(source);
  }

  @AfterEach
  void close() {
    site.close();
  }

  private void schedules(int count) {
    for (int i = 0; i < count; i++) {
      site.put(
          "/schedules/%s-%02d".formatted(word, i),
          "{\"target\": \"noop\", \"timing\": {\"every\": \"PT1H\"}, \"tags\": [\"%s\"]}"
              .formatted(word));
    }
  }

  private List<String> deadLetters(int count) {
    for (int i = 0; i < count; i++) {
      site.post("/runs", "{\"target\": \"fail\", \"correlation\": \"%s\"}".formatted(word));
    }
    site.carillon.runDue();
    return dead();
  }

  private List<String> dead() {
    return site.get("/dead-letters?correlation=" + word).json().at("/items").findValuesAsText("id");
  }

  private Answer bulk(String action, String extent) {
    return site.post(
        "/schedules/bulk",
        """
        {"filter": {"tag": "%s"}, "action": "%s", "reason": "the moon", %s}
        """
            .formatted(word, action, extent));
  }

  private List<String> statuses() {
    return site.get("/schedules?q=" + word).json().at("/items").findValuesAsText("status");
  }

  @Test
  void a_dry_run_shows_how_many_and_which_and_changes_nothing() {
    schedules(12);
    Answer shown = bulk("pause", "\"dryRun\": true");

    assertThat(shown.status()).isEqualTo(200);
    assertThat(shown.at("/matched")).isEqualTo("12");
    assertThat(shown.at("/schedules")).isEqualTo("0");
    assertThat(shown.json().at("/first"))
        .extracting(JsonNode::asText)
        .hasSize(10)
        .startsWith(word + "-00", word + "-01");
    assertThat(statuses()).hasSize(12).containsOnly("active");
  }

  @ParameterizedTest
  @ValueSource(strings = {"pause", "resume", "run", "delete"})
  void a_change_that_expects_another_number_changes_nothing(String action) {
    schedules(3);
    Answer refused = bulk(action, "\"expect\": 2");

    assertThat(refused.status()).isEqualTo(409);
    assertThat(refused.at("/code")).isEqualTo("count-changed");
    assertThat(refused.at("/detail"))
        .isEqualTo("2 were expected, but 3 match by now. Nothing was changed; look again.");
    assertThat(statuses()).containsExactly("active", "active", "active");
    assertThat(site.get("/runs?trigger=manual&q=" + word).json().at("/items")).isEmpty();
    assertThat(bulk(action, "\"expect\": 3").status()).isEqualTo(200);
  }

  @Test
  void a_change_that_says_neither_how_many_nor_all_is_refused() {
    schedules(1);
    Answer refused =
        site.post(
            "/schedules/bulk",
            "{\"filter\": {\"tag\": \"%s\"}, \"action\": \"delete\", \"reason\": \"x\"}"
                .formatted(word));

    assertThat(refused.status()).isEqualTo(422);
    assertThat(refused.at("/errors/0/pointer")).isEqualTo("/expect");
    assertThat(refused.at("/errors/0/message"))
        .isEqualTo("say how many are to be changed, as dryRun: true tells, or say all: true");
    assertThat(statuses()).containsExactly("active");
  }

  @Test
  void a_pause_of_many_may_have_an_end_and_nothing_else_has_one() {
    schedules(1);
    String until = "\"expect\": 1, \"until\": \"%s\"";

    assertThat(bulk("run", until.formatted("2026-02-01T00:00:00Z")).at("/errors/0/pointer"))
        .isEqualTo("/until");
    assertThat(bulk("pause", until.formatted("2025-02-01T00:00:00Z")).at("/errors/0/pointer"))
        .isEqualTo("/until");
    assertThat(statuses()).containsExactly("active");
    bulk("pause", until.formatted("2026-02-01T00:00:00Z"));
    assertThat(site.get("/schedules/" + word + "-00").at("/pausedUntil"))
        .isEqualTo("2026-02-01T00:00:00Z");
  }

  @Test
  void a_pause_of_many_may_begin_later_and_nothing_else_does() {
    schedules(2);
    String from = "\"expect\": 2, \"from\": \"2090-02-01T00:00:00Z\"";

    assertThat(bulk("resume", from).at("/errors/0/pointer")).isEqualTo("/from");
    assertThat(bulk("pause", from).at("/schedules")).isEqualTo("2");
    assertThat(statuses()).containsExactly("active", "active");
    assertThat(site.get("/schedules/" + word + "-00").at("/comingPause/from"))
        .isEqualTo("2090-02-01T00:00:00Z");
    assertThat(bulk("resume", "\"expect\": 2").at("/schedules")).isEqualTo("2");
    assertThat(site.get("/schedules/" + word + "-00").at("/comingPause/from")).isEmpty();
  }

  @Test
  void schedules_that_are_named_by_their_keys_are_changed_at_once_with_the_reason() {
    schedules(3);
    site.delete("/schedules/" + word + "-02");
    String keys =
        "{\"filter\": {\"keys\": [\"%1$s-01\", \"%1$s-00\", \"%1$s-02\", \"no-such\"]}, \"action\": \"delete\", \"reason\": \"the moon\", %2$s}";

    Answer shown = site.post("/schedules/bulk", keys.formatted(word, "\"dryRun\": true"));
    assertThat(shown.at("/matched")).isEqualTo("2");
    assertThat(shown.json().at("/first"))
        .extracting(JsonNode::asText)
        .containsExactly(word + "-00", word + "-01");
    assertThat(site.post("/schedules/bulk", keys.formatted(word, "\"expect\": 3")).status())
        .isEqualTo(409);
    Answer done = site.post("/schedules/bulk", keys.formatted(word, "\"expect\": 2"));
    assertThat(done.at("/schedules")).isEqualTo("2");
    assertThat(statuses()).isEmpty();
    assertThat(site.get("/audit?action=schedules.retiring").at("/items/0/details/reason"))
        .isEqualTo("the moon");
  }

  @Test
  void names_go_without_another_filter_and_are_not_too_many() {
    String order = "{\"filter\": %s, \"action\": \"pause\", \"reason\": \"x\", \"all\": true}";
    List<String> many = java.util.Collections.nCopies(501, "\"k\"");

    for (String filter :
        List.of(
            "{\"keys\": []}", "{\"keys\": [\"a\"], \"tag\": \"b\"}", "{\"keys\": " + many + "}")) {
      Answer refused = site.post("/schedules/bulk", order.formatted(filter));
      assertThat(refused.status()).as(filter).isEqualTo(422);
      assertThat(refused.at("/errors/0/pointer")).isEqualTo("/filter/keys");
    }
  }

  @Test
  void all_schedules_are_changed_only_if_all_is_said() {
    schedules(2);
    String all = "{\"action\": \"pause\", \"reason\": \"x\"%s}";

    for (String none : List.of("", ", \"filter\": {}", ", \"filter\": {\"payload\": {}}")) {
      Answer refused = site.post("/schedules/bulk", all.formatted(none + ", \"expect\": 2"));
      assertThat(refused.at("/errors/0/pointer")).as(none).isEqualTo("/filter");
    }
    assertThat(statuses()).containsExactly("active", "active");
    Answer done = site.post("/schedules/bulk", all.formatted(", \"all\": true"));
    assertThat(done.status()).isEqualTo(200);
    assertThat(statuses()).containsExactly("paused", "paused");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "  ", "\\t"})
  void empty_text_in_the_filter_of_a_change_is_refused(String empty) {
    schedules(1);
    List<String> dead = deadLetters(1);
    for (String field : List.of("q", "tag", "target", "status")) {
      Answer refused =
          site.post(
              "/schedules/bulk",
              """
              {"filter": {"%s": "%s"}, "action": "delete", "reason": "x", "all": true}
              """
                  .formatted(field, empty));
      assertThat(refused.status()).as(field).isEqualTo(422);
      assertThat(refused.at("/errors/0/pointer")).isEqualTo("/filter/" + field);
    }
    for (String field :
        List.of("q", "schedule", "target", "correlation", "trigger", "node", "from", "to")) {
      for (String action : List.of("redrive", "dismiss")) {
        Answer refused =
            site.post(
                "/dead-letters/" + action,
                """
                {"filter": {"%s": "%s"}, %s "all": true}
                """
                    .formatted(field, empty, action.equals("dismiss") ? "\"reason\": \"x\"," : ""));
        assertThat(refused.status()).as(field).isEqualTo(422);
        assertThat(refused.at("/errors/0/pointer")).isEqualTo("/filter/" + field);
      }
    }
    assertThat(statuses()).containsExactly("active");
    assertThat(dead()).isEqualTo(dead);
  }

  @Test
  void empty_text_in_a_list_or_a_delete_is_refused() {
    schedules(1);
    for (String path :
        List.of(
            "/api/v1/schedules?q=",
            "/api/v1/schedules?tag=%20",
            "/api/v1/schedules?target=",
            "/api/v1/schedules?status=",
            "/api/v1/schedules?payload=",
            "/api/v1/runs?q=",
            "/api/v1/runs?schedule=",
            "/api/v1/runs?target=%09",
            "/api/v1/runs?state=",
            "/api/v1/runs?correlation=",
            "/api/v1/dead-letters?q=",
            "/api/v1/dead-letters?node=",
            "/api/v1/audit?schedule=",
            "/api/v1/events?schedule=",
            "/api/v2/admin/cron/jobs?target=",
            "/api/v2/admin/cron/runs?jobKey=")) {
      Answer refused = site.sendTo("GET", path, "");
      String name = path.replaceAll(".*[?](\\w+)=.*", "$1");
      assertThat(refused.status()).as(path).isEqualTo(400);
      assertThat(refused.at("/errors/0/parameter")).isEqualTo(name);
      assertThat(refused.at("/errors/0/message"))
          .isEqualTo("'%s' must not be empty; leave it out if it does not matter".formatted(name));
    }
    for (String path :
        List.of(
            "/schedules?q=",
            "/schedules?payload=",
            "/schedules?tag=" + word + "&q=",
            "/runs?correlation=",
            "/runs?correlation=%20")) {
      assertThat(site.delete(path).status()).as(path).isEqualTo(400);
    }
    assertThat(site.get("/schedules?cursor=").status()).isEqualTo(200);
    assertThat(statuses()).containsExactly("active");
  }

  @Test
  void deleting_many_schedules_works_without_and_with_the_number_that_is_expected() {
    schedules(3);
    Answer refused = site.delete("/schedules?tag=" + word + "&expect=2");

    assertThat(refused.at("/code")).isEqualTo("count-changed");
    assertThat(statuses()).hasSize(3);
    assertThat(site.delete("/schedules?tag=" + word + "&expect=3").at("/retired")).isEqualTo("3");
    assertThat(site.delete("/schedules?tag=" + word).at("/retired")).isEqualTo("0");
  }

  @Test
  void canceling_many_runs_works_without_and_with_the_number_that_is_expected() {
    for (int i = 0; i < 3; i++) {
      site.post(
          "/runs",
          "{\"target\": \"noop\", \"in\": \"PT1H\", \"correlation\": \"%s\"}".formatted(word));
    }

    for (String other : List.of("2", "4", "0")) {
      Answer refused = site.delete("/runs?correlation=" + word + "&expect=" + other);
      assertThat(refused.at("/code")).as(other).isEqualTo("count-changed");
    }
    assertThat(site.get("/runs?correlation=" + word).json().at("/items").findValuesAsText("state"))
        .containsExactly("pending", "pending", "pending");
    assertThat(site.delete("/runs?correlation=" + word + "&expect=3").at("/canceled"))
        .isEqualTo("3");
    assertThat(site.delete("/runs?correlation=" + word).at("/canceled")).isEqualTo("0");
  }

  @Test
  void dead_letters_are_driven_again_if_there_are_as_many_as_expected() {
    List<String> dead = deadLetters(3);
    String body = "{\"filter\": {\"correlation\": \"%s\"}%s}";
    Answer shown = site.post("/dead-letters/redrive", body.formatted(word, ", \"dryRun\": true"));
    Answer refused = site.post("/dead-letters/redrive", body.formatted(word, ", \"expect\": 2"));

    assertThat(shown.status()).isEqualTo(200);
    assertThat(shown.at("/matched")).isEqualTo("3");
    assertThat(shown.json().at("/first").findValuesAsText("id"))
        .containsExactlyInAnyOrderElementsOf(dead);
    assertThat(refused.status()).isEqualTo(409);
    assertThat(refused.at("/code")).isEqualTo("count-changed");
    assertThat(site.post("/dead-letters/redrive", body.formatted(word, "")).at("/errors/0/pointer"))
        .isEqualTo("/expect");
    assertThat(dead()).isEqualTo(dead);
    Answer done = site.post("/dead-letters/redrive", body.formatted(word, ", \"expect\": 3"));
    assertThat(done.status()).isEqualTo(202);
    assertThat(done.at("/redriven")).isEqualTo("3");
    assertThat(dead()).isEmpty();
  }

  @Test
  void dead_letters_are_dismissed_for_a_reason_that_is_shown_with_the_run() {
    List<String> dead = deadLetters(3);
    Answer one =
        site.post(
            "/dead-letters/dismiss",
            "{\"ids\": [\"%s\"], \"reason\": \"the order was withdrawn\"}".formatted(dead.get(0)));

    assertThat(one.status()).isEqualTo(200);
    assertThat(one.at("/dismissed")).isEqualTo("1");
    assertThat(dead()).isEqualTo(dead.subList(1, 3));
    Answer run = site.get("/runs/" + dead.get(0));
    assertThat(run.at("/state")).isEqualTo("failed");
    assertThat(run.at("/dismissed/reason")).isEqualTo("the order was withdrawn");
    assertThat(run.at("/dismissed/by")).isNotEmpty();
    assertThat(run.at("/dismissed/at")).isEqualTo(site.clock.instant().toString());
    assertThat(
            site.get("/runs?state=failed&correlation=" + word)
                .json()
                .at("/items")
                .findValuesAsText("id"))
        .hasSize(3);

    String rest = "{\"filter\": {\"correlation\": \"%s\"}, \"reason\": \"%s\", \"expect\": %s}";
    assertThat(site.post("/dead-letters/dismiss", rest.formatted(word, "seen", 3)).at("/code"))
        .isEqualTo("count-changed");
    assertThat(
            site.post("/dead-letters/dismiss", rest.formatted(word, " ", 2))
                .at("/errors/0/pointer"))
        .isEqualTo("/reason");
    assertThat(site.post("/dead-letters/dismiss", rest.formatted(word, "seen", 2)).at("/dismissed"))
        .isEqualTo("2");
    assertThat(dead()).isEmpty();
    assertThat(
            RunId.parse(dead.get(1)).flatMap(site.carillon.runs()::get).orElseThrow().dismissal())
        .isPresent();
  }

  @Test
  void dismissing_needs_a_reason_and_which() {
    assertThat(site.post("/dead-letters/dismiss", "{\"ids\": []}").at("/errors/0/pointer"))
        .isEqualTo("/reason");
    assertThat(
            site.post("/dead-letters/dismiss", "{\"reason\": \"x\", \"expect\": 0}")
                .at("/errors/0/message"))
        .isEqualTo("say which: either ids or a filter");
  }
}
