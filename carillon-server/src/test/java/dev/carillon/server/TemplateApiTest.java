package dev.carillon.server;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.carillon.fixture.EmbeddedPostgres;
import java.time.Duration;
import java.util.List;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Payloads with placeholders: what is refused, what is stored, and what is shown. */
@ExtendWith(EmbeddedPostgres.class)
class TemplateApiTest {
  private static final String NIGHTLY =
      """
      {"target": "%s", "timing": {"cron": "0 1 * * *", "zone": "Asia/Tokyo"}, "template": %s,
       "payload": %s}
      """;
  private static final String DATED =
      """
      {"day": "${slot-1d:yyyy-MM-dd}", "try": "${attempt}", "n": 5, "copy": "${payload.n}"}""";

  private final String key = "nightly-" + Long.toHexString(System.nanoTime());
  private final Site site;

  TemplateApiTest(DataSource source) {
    site = new Site(source);
  }

  @AfterEach
  void close() {
    site.delete("/schedules/" + key);
    site.close();
  }

  private Answer put(String payload) {
    return site.put("/schedules/" + key, NIGHTLY.formatted("noop", true, payload));
  }

  private JsonNode onlyRun() {
    JsonNode runs = site.get("/runs?schedule=" + key).json().at("/items");
    assertThat(runs).hasSize(1);
    return site.get("/runs/" + runs.at("/0/id").asText()).json();
  }

  private static void assertRefused(Answer answer, String pointer, String message) {
    assertThat(answer.status()).as(answer.text()).isEqualTo(422);
    assertThat(answer.at("/errors/0/pointer")).isEqualTo(pointer);
    assertThat(answer.at("/errors/0/message")).contains(message);
  }

  @Test
  void a_wrong_placeholder_is_refused_at_its_place_with_its_position() {
    String wrong = "{\"to\": [\"ops\", \"on ${slott}\"]}";

    assertRefused(put(wrong), "/payload/to/1", "at character 4: ${ is followed by 'slott'");
    assertRefused(
        site.post("/schedules", NIGHTLY.formatted("noop", true, wrong)), "/payload/to/1", "slott");
    assertRefused(
        site.put(
            "/schedules/" + key + "?dryRun=true",
            NIGHTLY.formatted("noop", true, "{\"a/b\": \"${payload.c}\"}")),
        "/payload/a~1b",
        "the payload has no 'payload.c'");
    assertThat(site.get("/schedules/" + key).status()).isEqualTo(404);
  }

  @Test
  void all_texts_that_are_wrong_are_told_at_once() {
    Answer refused =
        put(
            "{\"a\": \"${nope}\", \"b\": [\"fine\", \"${slot\"], \"c\": \"${payload.d}\","
                + " \"e\": \"${payload.f}\", \"f\": \"${payload.e}\", \"g\": \"${slot:yyyy}\"}");

    assertThat(refused.json().get("errors").findValuesAsText("pointer"))
        .containsExactlyInAnyOrder("/payload/a", "/payload/b/1", "/payload/c", "/payload/f");
  }

  @Test
  void a_patch_that_makes_a_payload_a_template_is_checked() {
    site.put("/schedules/" + key, NIGHTLY.formatted("noop", false, "{\"a\": \"${nope}\"}"));

    assertRefused(site.patch("/schedules/" + key, "{\"template\": true}"), "/payload/a", "'nope'");
    assertRefused(
        site.patch(
            "/schedules/" + key, "{\"template\": true, \"payload\": {\"a\": \"${payload.a}\"}}"),
        "/payload/a",
        "contains this text");
    assertThat(site.get("/schedules/" + key).json().get("template").asBoolean()).isFalse();
    assertThat(
            site.patch(
                    "/schedules/" + key, "{\"template\": true, \"payload\": {\"a\": \"${slot}\"}}")
                .status())
        .isEqualTo(200);
  }

  @Test
  void a_manual_run_with_a_wrong_payload_is_refused() {
    put(DATED);

    assertRefused(
        site.post("/schedules/" + key + "/run", "{\"payload\": {\"a\": \"${payload.b}\"}}"),
        "/payload/a",
        "no 'payload.b'");
  }

  private static String adHoc(String more) {
    return "{\"target\": \"noop\", \"in\": \"PT17H\", %s}".formatted(more);
  }

  @Test
  void a_run_without_a_schedule_is_filled_in_with_dates_in_its_zone() {
    String body = "\"template\": true, \"zone\": \"Asia/Tokyo\", \"payload\": " + DATED;
    Answer created = site.post("/runs", adHoc(body));
    site.carillon.pass(Duration.ofHours(17));

    assertThat(created.status()).as(created.text()).isEqualTo(202);
    JsonNode run = site.get("/runs/" + created.at("/id")).json();
    assertThat(run.get("state").asText()).isEqualTo("succeeded");
    assertThat(run.get("template").asBoolean()).isTrue();
    assertThat(run.at("/payload/day").asText()).isEqualTo("${slot-1d:yyyy-MM-dd}");
    assertThat(run.at("/expandedPayload"))
        .isEqualTo(Answer.parse("{\"day\": \"2026-01-01\", \"try\": 1, \"n\": 5, \"copy\": 5}"));
  }

  @Test
  void a_run_without_a_schedule_that_cannot_be_filled_in_is_refused_at_its_place() {
    assertRefused(
        site.post("/runs", adHoc("\"template\": true, \"payload\": {\"to\": [\"on ${slott}\"]}")),
        "/payload/to/0",
        "at character 4: ${ is followed by 'slott'");
    assertRefused(
        site.post("/runs", adHoc("\"template\": true, \"payload\": {\"a\": \"${payload.b}\"}")),
        "/payload/a",
        "the payload has no 'payload.b'");
    assertRefused(site.post("/runs", adHoc("\"template\": \"yes\"")), "/template", "true or false");
    assertThat(
            site.post("/runs", adHoc("\"template\": false, \"payload\": {\"a\": \"${b\"}"))
                .status())
        .isEqualTo(202);
    assertThat(site.post("/runs", adHoc("\"template\": true")).status()).isEqualTo(202);
    assertThat(site.post("/runs", adHoc("\"template\": null")).status()).isEqualTo(202);
  }

  @Test
  void another_payload_for_dead_letters_is_refused_at_its_place() {
    String press = "press-" + key;
    site.put("/targets/" + press, "{\"type\": \"worker\"}");
    site.put("/schedules/" + key, NIGHTLY.formatted(press, true, DATED));
    site.carillon.pass(Duration.ofHours(17));
    JsonNode claimed =
        site.post(
                "/workers/claim", "{\"worker\": \"anna\", \"targets\": [\"%s\"]}".formatted(press))
            .json()
            .at("/runs/0");
    String id = claimed.get("id").asText();
    site.post(
        "/runs/" + id + "/status",
        "{\"status\": \"failed\", \"fence\": %s}".formatted(claimed.get("fence")));
    String wrong = "\"payload\": {\"a\": \"${payload.b}\"}}";
    String filter = "{\"filter\": {\"schedule\": \"%s\"}, ".formatted(key);

    for (String which :
        List.of(
            filter + "\"expect\": 1, ",
            filter + "\"dryRun\": true, ",
            "{\"ids\": [\"%s\"], ".formatted(id))) {
      assertRefused(
          site.post("/dead-letters/redrive", which + wrong), "/payload/a", "no 'payload.b'");
    }
    assertThat(onlyRun().get("state").asText()).isEqualTo("failed");
    assertThat(site.get("/dead-letters?schedule=" + key).json().at("/items")).hasSize(1);
  }

  @Test
  void template_is_true_or_false() {
    assertRefused(
        site.put("/schedules/" + key, NIGHTLY.formatted("noop", "\"yes\"", "{}")),
        "/template",
        "must be true or false");
  }

  @Test
  void a_payload_with_placeholders_that_is_no_template_stays_as_it_is() {
    site.put("/schedules/" + key, NIGHTLY.formatted("noop", false, "{\"a\": \"${slot\"}"));
    site.carillon.pass(Duration.ofHours(17));

    assertThat(onlyRun().at("/payload/a").asText()).isEqualTo("${slot");
    assertThat(onlyRun().get("template").asBoolean()).isFalse();
    assertThat(onlyRun().get("expandedPayload").isNull()).isTrue();
  }

  @Test
  void a_run_shows_what_was_written_and_what_its_target_was_given() {
    put(DATED);
    site.carillon.pass(Duration.ofHours(17));

    assertThat(onlyRun().get("state").asText()).isEqualTo("succeeded");
    assertThat(onlyRun().get("template").asBoolean()).isTrue();
    assertThat(onlyRun().at("/payload/day").asText()).isEqualTo("${slot-1d:yyyy-MM-dd}");
    assertThat(onlyRun().at("/expandedPayload"))
        .isEqualTo(Answer.parse("{\"day\": \"2026-01-01\", \"try\": 1, \"n\": 5, \"copy\": 5}"));
  }

  @Test
  void a_dry_run_shows_the_payload_of_the_next_run() {
    Answer dryRun =
        site.put("/schedules/" + key + "?dryRun=true", NIGHTLY.formatted("noop", true, DATED));

    assertThat(dryRun.at("/expandedPayload/day")).isEqualTo("2026-01-01");
  }

  @Test
  void a_worker_is_given_the_payload_filled_in() {
    String press = "press-" + key;
    site.put("/targets/" + press, "{\"type\": \"worker\"}");
    site.put("/schedules/" + key, NIGHTLY.formatted(press, true, DATED));
    site.carillon.pass(Duration.ofHours(17));
    JsonNode claimed =
        site.post(
                "/workers/claim", "{\"worker\": \"anna\", \"targets\": [\"%s\"]}".formatted(press))
            .json()
            .at("/runs/0");

    assertThat(claimed.at("/payload/day").asText()).isEqualTo("2026-01-01");
    assertThat(claimed.at("/payload/copy").asInt()).isEqualTo(5);
  }

  @Test
  void an_http_target_with_a_wrong_template_is_refused_at_its_place() {
    assertRefused(
        site.put(
            "/targets/hook-" + key,
            """
            {"type": "http", "url": "https://example.com/", "template": true,
             "headers": {"X-For": "${slot:}"}}
            """),
        "/headers/X-For",
        "at character 8: a pattern has 1 to 60 characters");
    assertRefused(
        site.put(
            "/targets/hook-" + key,
            "{\"type\": \"http\", \"url\": \"https://example.com/\", \"body\": {}}"),
        "/body",
        "set template to true");
  }

  @Test
  void an_http_target_shows_its_body_and_no_header() {
    Answer stored =
        site.put(
            "/targets/hook-" + key,
            """
            {"type": "http", "url": "https://example.com/", "template": true,
             "headers": {"X-For": "hush ${slot}"}, "body": {"text": "${payload.text}"}}
            """);

    assertThat(stored.status()).as(stored.text()).isEqualTo(201);
    assertThat(stored.at("/body/text")).isEqualTo("${payload.text}");
    assertThat(stored.json().get("template").asBoolean()).isTrue();
    assertThat(stored.text()).doesNotContain("hush");
  }
}
