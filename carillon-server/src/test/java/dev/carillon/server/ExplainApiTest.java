package dev.carillon.server;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.carillon.fixture.EmbeddedPostgres;
import java.time.Duration;
import java.time.Instant;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Why a schedule did or did not run, over REST. */
@ExtendWith(EmbeddedPostgres.class)
class ExplainApiTest {
  private final Site site;
  private final String key = "key-" + Long.toHexString(System.nanoTime());

  ExplainApiTest(DataSource source) {
    site = new Site(source);
  }

  @AfterEach
  void close() {
    site.close();
  }

  private void put(String timing, String more) {
    Answer answer =
        site.put(
            "/schedules/" + key,
            "{\"target\": \"noop\", \"timing\": %s%s}".formatted(timing, more));
    assertThat(answer.status()).as(answer.toString()).isEqualTo(201);
  }

  private Answer explain(Object at) {
    return site.get("/schedules/" + key + "/explain?at=" + at);
  }

  private Instant in(Duration time) {
    return site.clock.instant().plus(time);
  }

  @Test
  void a_slot_that_ran_has_its_run_and_the_steps_in_words() {
    put("{\"every\": \"PT1H\"}", "");
    Instant slot = in(Duration.ofHours(1));
    site.carillon.pass(Duration.ofHours(1));

    JsonNode json = explain(slot).json();

    assertThat(json.path("outcome").asText()).isEqualTo("succeeded");
    assertThat(json.path("slot").asText()).isEqualTo(slot.toString());
    assertThat(json.at("/run/state").asText()).isEqualTo("succeeded");
    assertThat(json.at("/run/attempts")).hasSize(1);
    assertThat(json.path("decision").isNull()).isTrue();
    assertThat(json.at("/next/decision").asText()).isEqualTo("will_run");
    assertThat(json.path("text").asText())
        .isEqualTo(String.join("\n", json.path("steps").findValuesAsText("because")));
    assertThat(json.at("/steps/0/by").asText()).isNotEmpty();
    assertThat(json.at("/steps/1/what").asText()).isEqualTo("timing");
  }

  @Test
  void a_slot_of_a_pause_has_its_decision() {
    put("{\"every\": \"PT1H\"}", "");
    site.post("/schedules/" + key + "/pause", "{\"reason\": \"the moon\"}");
    Instant slot = in(Duration.ofHours(1));
    site.carillon.pass(Duration.ofHours(2));
    assertThat(explain(slot).at("/outcome")).isEqualTo("will_not_run");
    site.post("/schedules/" + key + "/resume", "");

    Answer answer = explain(slot);

    assertThat(answer.at("/outcome")).isEqualTo("dropped");
    assertThat(answer.at("/decision/reason")).isEqualTo("paused");
    assertThat(answer.at("/decision/slots")).isEqualTo("2");
    assertThat(answer.at("/text")).contains("paused the schedule at", "the moon");
  }

  @Test
  void every_kind_of_timing_is_explained() {
    Instant slot = in(Duration.ofHours(1));
    for (String timing :
        new String[] {
          "{\"cron\": \"0 * * * *\", \"zone\": \"Europe/Rome\"}",
          "{\"every\": \"PT1H\"}",
          "{\"every\": \"PT1H\", \"after\": \"finish\"}",
          "{\"at\": \"" + slot + "\"}",
          "{\"in\": \"PT1H\"}"
        }) {
      site.send("DELETE", "/schedules/" + key, "");
      Answer stored =
          site.put("/schedules/" + key, "{\"target\": \"noop\", \"timing\": " + timing + "}");
      assertThat(stored.status()).as(timing).isBetween(200, 201);

      assertThat(explain(slot).at("/outcome")).as(timing).isEqualTo("will_run");
      assertThat(explain(slot.plusSeconds(1)).at("/outcome")).as(timing).isEqualTo("not_due");
    }
    site.put("/schedules/" + key, "{\"target\": \"noop\", \"timing\": {\"every\": \"P1M\"}}");
    assertThat(explain("2026-02-01T00:00:00Z").at("/outcome")).isEqualTo("will_run");
  }

  @Test
  void a_retired_schedule_and_far_times_are_explained_too() {
    put("{\"every\": \"PT1H\"}", "");
    site.send("DELETE", "/schedules/" + key, "");

    assertThat(explain(in(Duration.ofHours(1))).at("/outcome")).isEqualTo("not_due");
    assertThat(explain(in(Duration.ofHours(1))).at("/text")).contains("retired the schedule at");
    assertThat(explain("1970-01-01T00:00:00Z").at("/text")).contains("did not exist yet");
    assertThat(explain("9999-12-30T00:00:00Z").status()).isEqualTo(200);
  }

  @Test
  void what_cannot_be_read_is_refused_where_it_is() {
    put("{\"every\": \"PT1H\"}", "");

    for (String at :
        new String[] {"tomorrow", "2027-03-28T02:30", "12345", "", "9999999-01-01T00:00:00Z"}) {
      Answer answer = explain(at);
      assertThat(answer.status()).as(at).isEqualTo(400);
      assertThat(answer.at("/errors/0/parameter")).as(at).isEqualTo("at");
    }
    Answer none = site.get("/schedules/" + key + "/explain");
    assertThat(none.status()).isEqualTo(400);
    assertThat(none.at("/errors/0/message"))
        .isEqualTo("say for which instant, such as 2027-03-28T01:00:00Z");
    assertThat(site.get("/schedules/nobody/explain?at=2027-03-28T01:00:00Z").status())
        .isEqualTo(404);
    assertThat(explain("2027-03-28T01:00:00Z&to=x").status()).isEqualTo(400);
  }

  private void saveBank() {
    assertThat(site.put("/calendars/bank-" + key, "{\"zone\": \"UTC\"}").status()).isEqualTo(201);
    assertThat(
            site.put(
                    "/quiet-hours/night-" + key,
                    "{\"zone\": \"UTC\", \"action\": \"defer\", \"windows\": [{\"hours\":"
                        + " \"22:00-06:00\"}]}")
                .status())
        .isEqualTo(201);
  }

  private String policy(String roll) {
    return "{\"name\": \"bank-%s\", \"roll\": \"%s\"}".formatted(key, roll);
  }

  @Test
  void a_slot_on_a_day_off_has_its_moves_and_says_what_moved_it() {
    saveBank();
    put("{\"cron\": \"0 10 * * SUN\"}", ", \"calendar\": " + policy("following"));
    Instant sunday = Instant.parse("2026-03-08T10:00:00Z");

    JsonNode json = explain(sunday).json();

    assertThat(json.path("outcome").asText()).isEqualTo("will_run");
    assertThat(json.path("dueAt").asText()).isEqualTo("2026-03-09T10:00:00Z");
    assertThat(json.at("/moves/0/policy").asText()).isEqualTo("calendar");
    assertThat(json.at("/moves/0/because").asText()).isEqualTo("Sunday is no business day");
    assertThat(json.path("text").asText())
        .contains("roll following moves it to 2026-03-09 10:00 UTC");
    assertThat(explain("2026-03-09T10:00:00Z").json().at("/dueThen/0/slot").asText())
        .isEqualTo(sunday.toString());
  }

  @Test
  void a_dry_run_lists_fires_that_only_a_calendar_or_quiet_hours_move() {
    saveBank();
    put("{\"cron\": \"0 23 * * SUN\"}", "");

    JsonNode rolled =
        site.patch(
                "/schedules/" + key + "?dryRun=true",
                "{\"calendar\": %s}".formatted(policy("following")))
            .json();
    JsonNode quiet =
        site.patch(
                "/schedules/" + key + "?dryRun=true",
                "{\"quietHours\": \"night-%s\"}".formatted(key))
            .json();

    assertThat(rolled.path("changedFields").toString()).isEqualTo("[\"calendar\"]");
    assertThat(rolled.at("/firesMoved/0/to").asText()).endsWith("T23:00:00Z");
    assertThat(rolled.path("firesLost")).isEmpty();
    assertThat(quiet.at("/firesMoved/0/to").asText()).contains("T06:00:00");
  }

  @Test
  void a_timing_is_explained_with_a_calendar_and_quiet_hours() {
    saveBank();
    String question =
        "{\"timing\": {\"cron\": \"0 23 * * FRI,SAT\"}, \"from\": \"2026-03-05T00:00:00Z\","
            + " \"count\": 2%s}";

    JsonNode ruled =
        site.post(
                "/timings/explain",
                question.formatted(
                    ", \"calendar\": %s, \"quietHours\": \"night-%s\""
                        .formatted(policy("skip"), key)))
            .json();
    JsonNode plain = site.post("/timings/explain", question.formatted("")).json();
    Answer unknown =
        site.post("/timings/explain", question.formatted(", \"quietHours\": \"moon\""));

    assertThat(ruled.at("/fires/0/obstacle").asText()).contains("no business day");
    assertThat(ruled.at("/fires/0/dueAt").isNull()).isTrue();
    assertThat(plain.at("/fires/0/dueAt").asText()).isEqualTo("2026-03-06T23:00:00Z");
    assertThat(plain.at("/fires/0/moves")).isEmpty();
    assertThat(unknown.status()).isEqualTo(422);
    assertThat(unknown.toString())
        .contains("quietHours")
        .contains("there are no quiet hours 'moon'");
  }

  @Test
  void a_timing_by_a_calendar_is_explained_by_the_days_that_its_slots_stand_for() {
    String hours =
        Stream.of("monday", "tuesday", "wednesday", "thursday", "friday")
            .map("\"%s\": [\"09:00-17:00\"]"::formatted)
            .collect(Collectors.joining(", ", "{", "}"));
    String rome =
        "{\"zone\": \"Europe/Rome\", \"hours\": %s, \"holidays\": [{\"date\": \"2026-03-04\","
            + " \"name\": \"Feast\"}]}";
    assertThat(site.put("/calendars/rome-" + key, rome.formatted(hours)).status()).isEqualTo(201);
    String question =
        "{\"timing\": {%s, \"calendar\": \"%s\"}, \"from\": \"2026-03-03T12:00:00Z\", \"count\":"
            + " 2}";

    JsonNode third =
        site.post(
                "/timings/explain",
                question.formatted("\"businessDay\": 3, \"time\": \"18:00\"", "rome-" + key))
            .json();
    JsonNode opening =
        site.post(
                "/timings/explain",
                question.formatted("\"at\": \"open\", \"offset\": \"-PT15M\"", "rome-" + key))
            .json();
    Answer unknown =
        site.post(
            "/timings/explain",
            question.formatted("\"businessDay\": 3, \"time\": \"18:00\"", "moon"));

    assertThat(third.at("/description").asText()).endsWith("Europe/Rome");
    assertThat(third.at("/fires/0/slot").asText()).isEqualTo("2026-03-01T17:00:00Z");
    assertThat(third.at("/fires/0/dueAt").asText()).isEqualTo("2026-03-05T17:00:00Z");
    assertThat(third.at("/fires/0/local").asText()).isEqualTo("2026-03-05T18:00:00");
    assertThat(third.at("/fires/0/moves/0/because").asText())
        .isEqualTo("business day 3 of 2026-03");
    assertThat(third.at("/fires/1/dueAt").asText()).isEqualTo("2026-04-03T16:00:00Z");
    assertThat(opening.at("/fires/0/slot").asText()).isEqualTo("2026-03-03T23:00:00Z");
    assertThat(opening.at("/fires/0/dueAt").isNull()).isTrue();
    assertThat(opening.at("/fires/0/obstacle").asText()).contains("Feast");
    assertThat(unknown.status()).isEqualTo(422);
    assertThat(unknown.at("/errors/0/pointer")).isEqualTo("/timing/calendar");
    assertThat(unknown.at("/errors/0/message")).contains("there is no calendar 'moon'");
  }
}
