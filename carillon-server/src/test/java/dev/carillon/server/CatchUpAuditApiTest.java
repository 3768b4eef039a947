package dev.carillon.server;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.carillon.fixture.EmbeddedPostgres;
import java.time.Duration;
import java.util.List;
import java.util.stream.StreamSupport;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What the audit records of slots that were missed, in the words in which their policy was given.
 */
@ExtendWith(EmbeddedPostgres.class)
class CatchUpAuditApiTest {
  private final Site site;
  private final String key = "m-" + Long.toHexString(System.nanoTime());

  CatchUpAuditApiTest(DataSource source) {
    site = new Site(source);
  }

  @AfterEach
  void close() {
    site.delete("/schedules/" + key);
    site.close();
  }

  private Answer hourly(String catchUp) {
    return site.put(
        "/schedules/" + key,
        "{\"target\": \"noop\", \"timing\": {\"cron\": \"0 * * * *\"}, \"catchUp\": %s}"
            .formatted(catchUp));
  }

  /** Let time pass in which no node runs. */
  private void outage(Duration length) {
    site.clock.advance(length);
    site.carillon.runDue();
  }

  private List<JsonNode> audit(String action) {
    JsonNode lines = site.get("/audit?schedule=" + key).json().get("items");
    return StreamSupport.stream(lines.spliterator(), false)
        .filter(line -> line.get("action").asText().equals(action))
        .toList();
  }

  private static String details(JsonNode line) {
    JsonNode details = line.get("details");
    return details.path("policy").asText()
        + " "
        + details.path("slots").asText()
        + " "
        + details.path("runs").asText();
  }

  @Test
  void run_once_says_for_how_many_slots_it_ran() {
    hourly("{\"mode\": \"run_once\", \"maxAge\": null}");
    outage(Duration.ofMinutes(330));
    JsonNode line = audit("schedule.caught_up").get(0);

    assertThat(audit("schedule.caught_up")).hasSize(1);
    assertThat(details(line)).isEqualTo("run_once 5 1");
    assertThat(line.at("/details/first").asText()).isEqualTo("2026-01-01T01:00:00Z");
    assertThat(line.at("/details/last").asText()).isEqualTo("2026-01-01T05:00:00Z");
    assertThat(line.get("actor").asText()).isEqualTo("carillon");
    assertThat(site.get("/runs?schedule=" + key).json().get("items")).hasSize(1);
  }

  @Test
  void run_once_says_so_for_a_single_slot_too() {
    hourly("{\"mode\": \"run_once\"}");
    outage(Duration.ofMinutes(90));

    assertThat(audit("schedule.caught_up"))
        .singleElement()
        .satisfies(line -> assertThat(details(line)).isEqualTo("run_once 1 1"));
    assertThat(audit("schedule.missed")).isEmpty();
  }

  @Test
  void run_all_capped_records_what_ran_and_what_did_not() {
    hourly("{\"mode\": \"run_all_capped\", \"limit\": 3, \"maxAge\": null}");
    outage(Duration.ofMinutes(330));

    assertThat(audit("schedule.caught_up"))
        .singleElement()
        .satisfies(line -> assertThat(details(line)).isEqualTo("run_all_capped 5 3"));
    assertThat(audit("schedule.missed"))
        .singleElement()
        .satisfies(
            line -> {
              assertThat(line.at("/details/slots").asInt()).isEqualTo(2);
              assertThat(line.at("/details/reason").asText()).isEqualTo("limit");
            });
  }

  @Test
  void skip_writes_one_line_per_range_with_its_count() {
    hourly("{\"mode\": \"skip\"}");
    outage(Duration.ofMinutes(330));
    outage(Duration.ofHours(2));

    assertThat(audit("schedule.missed"))
        .extracting(line -> line.at("/details/slots").asInt())
        .containsExactly(2, 5);
    assertThat(audit("schedule.missed").get(1).at("/details/last").asText())
        .isEqualTo("2026-01-01T05:00:00Z");
    assertThat(audit("schedule.caught_up")).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"none", "fire_immediately", "spread", "run_once", "run_all_capped"})
  void a_registered_schedule_keeps_the_word_in_which_its_policy_was_given(String word) {
    Answer stored =
        site.sendTo(
            "POST",
            "/schedules/upsert",
            """
            {"schedule_id": "%s", "workflow_id": "w", "version": 1, "user_id": "ada",
             "cron_expr": "0 * * * *", "timezone": "UTC", "target": "noop",
             "catchup_policy": "%s"}
            """
                .formatted(key, word));
    outage(Duration.ofMinutes(330));

    assertThat(stored.status()).isEqualTo(200);
    assertThat(site.sendTo("GET", "/schedules/" + key, "").at("/catchup_policy")).isEqualTo(word);
    assertThat(site.get("/schedules/" + key).at("/catchUp/mode")).isEqualTo(word);
    assertThat(audit("schedule.caught_up"))
        .allSatisfy(line -> assertThat(line.at("/details/policy").asText()).isEqualTo(word))
        .hasSize(word.equals("none") ? 0 : 1);
  }

  @ParameterizedTest
  @CsvSource({"skip, none", "once, run_once", "all, fire_immediately", "spread, spread"})
  void our_own_words_are_shown_in_those_of_the_document(String ours, String theirs) {
    hourly("{\"mode\": \"%s\"}".formatted(ours));

    assertThat(site.get("/schedules/" + key).at("/catchUp/mode")).isEqualTo(ours);
    assertThat(site.sendTo("GET", "/schedules/" + key, "").at("/catchup_policy")).isEqualTo(theirs);
  }

  @Test
  void saying_the_same_again_in_the_same_words_changes_nothing() {
    hourly("{\"mode\": \"run_once\"}");
    Answer again = hourly("{\"mode\": \"run_once\"}");
    Answer patched = site.patch("/schedules/" + key, "{\"catchUp\": {\"limit\": 7}}");

    assertThat(again.at("/version")).isEqualTo("1");
    assertThat(patched.at("/catchUp/mode")).isEqualTo("run_once");
  }
}
