package dev.carillon.server;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.carillon.ScheduleDraft;
import dev.carillon.fixture.EmbeddedPostgres;
import dev.carillon.fixture.PostgresServer;
import dev.carillon.server.web.Request;
import dev.carillon.server.web.Role;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Schedules that follow calendars and keep quiet hours, over REST. It is Thursday, 2026-01-01. */
@ExtendWith(EmbeddedPostgres.class)
class BusinessTimeApiTest {
  private static final String IT =
      """
      {"zone": "UTC", "holidays": [{"date": "2026-01-06", "name": "Epifania"}], "coverageUntil": "2027-12-31"}
      """;
  private static final String NIGHT =
      """
      {"zone": "UTC", "windows": [{"hours": "22:00-07:00"}], "action": "defer"}
      """;

  private final Site site;

  BusinessTimeApiTest(PostgresServer server) {
    site = new Site(server.pool(server.createMigrated()));
  }

  @AfterEach
  void close() {
    site.close();
  }

  private Answer fine(Answer answer) {
    assertThat(answer.status()).as(answer.text()).isBetween(200, 204);
    return answer;
  }

  private Answer schedule(String key, String cron, String more) {
    return site.put(
        "/schedules/" + key,
        "{\"target\": \"noop\", \"timing\": {\"cron\": \"%s\", \"zone\": \"UTC\"}%s}"
            .formatted(cron, more));
  }

  private static String error(Answer answer) {
    assertThat(answer.status()).as(answer.text()).isBetween(400, 422);
    JsonNode first = answer.json().path("errors").path(0);
    return first.path("pointer").asText(first.path("parameter").asText())
        + ": "
        + first.path("message").asText();
  }

  private static String slots(Answer answer) {
    return answer.json().path("slots").toString();
  }

  @Test
  void a_change_of_a_calendar_tells_before_and_after_what_it_moves() {
    fine(site.put("/calendars/it", IT));
    for (int i = 0; i < 3; i++) {
      fine(
          schedule(
              "daily-" + i, "0 3 * * *", ", \"calendar\": {\"name\": \"it\", \"roll\": \"skip\"}"));
    }
    String other = IT.replace("2026-01-06", "2026-01-07");
    String expected = "{\"schedules\":3,\"moved\":0,\"lost\":3,\"gained\":3,\"complete\":true}";

    Answer dryRun = fine(site.put("/calendars/it?dryRun=true", other));
    assertThat(slots(dryRun)).isEqualTo(expected);
    assertThat(dryRun.headers().get("ETag")).isEqualTo("\"1\"");
    Answer saved = fine(site.put("/calendars/it", other));
    assertThat(slots(saved)).isEqualTo(expected);
    assertThat(saved.json().at("/replanned/done").asBoolean()).isTrue();
    Answer again = fine(site.put("/calendars/it", other));
    assertThat(slots(again))
        .isEqualTo("{\"schedules\":0,\"moved\":0,\"lost\":0,\"gained\":0,\"complete\":true}");
    assertThat(site.get("/calendars/it").json().has("slots")).isFalse();
  }

  @Test
  void an_import_tells_what_it_moves() {
    fine(site.put("/calendars/it", IT));
    fine(schedule("daily", "0 3 * * *", ", \"calendar\": {\"name\": \"it\"}"));
    String country = "{\"country\": \"US\", \"years\": [2026]}";

    Answer dryRun = fine(site.post("/calendars/it/import?dryRun=true", country));
    assertThat(dryRun.json().at("/slots/moved").asLong()).isEqualTo(4);
    assertThat(dryRun.json().has("replanned")).isFalse();
    Answer imported = fine(site.post("/calendars/it/import", country));
    assertThat(slots(imported)).isEqualTo(slots(dryRun));
    assertThat(imported.json().at("/replanned/done").asBoolean()).isTrue();
  }

  @Test
  void quiet_hours_tell_before_and_after_what_they_move() {
    fine(site.put("/quiet-hours/night", NIGHT));
    fine(schedule("nightly", "0 3 * * *", ", \"quietHours\": \"night\""));
    String later = NIGHT.replace("07:00", "08:00");

    JsonNode dryRun = fine(site.put("/quiet-hours/night?dryRun=true", later)).json();
    assertThat(dryRun.path("result").asText()).isEqualTo("changed");
    assertThat(dryRun.at("/changes/0/field").asText()).isEqualTo("windows");
    assertThat(dryRun.at("/users/firstSchedules/0").asText()).isEqualTo("nightly");
    assertThat(dryRun.at("/slots/moved").asLong()).isEqualTo(30);
    assertThat(site.get("/quiet-hours/night").json().path("version").asInt()).isEqualTo(1);
    JsonNode saved = fine(site.put("/quiet-hours/night", later)).json();
    assertThat(saved.path("slots")).isEqualTo(dryRun.path("slots"));
    assertThat(site.put("/quiet-hours/freeze?dryRun=true", NIGHT).status()).isEqualTo(422);
  }

  @Test
  void all_schedules_are_counted_once_although_there_are_too_many_to_compare_their_slots() {
    site.carillon
        .schedules()
        .createAll(
            IntStream.range(0, 700)
                .mapToObj(
                    i ->
                        ScheduleDraft.named("s-%03d".formatted(i))
                            .target("noop")
                            .every(Duration.ofMinutes(1))
                            .tags(i < 650 ? List.of("a", "b") : List.of("b"))));

    JsonNode slots =
        fine(site.put(
                "/quiet-hours/night?dryRun=true",
                NIGHT.replace("{\"zone", "{\"tags\": [\"a\", \"b\"], \"zone")))
            .json()
            .path("slots");

    assertThat(slots.path("schedules").asLong()).isEqualTo(700);
    assertThat(slots.path("complete").asBoolean()).isFalse();
  }

  @Test
  void a_freeze_and_a_thaw_tell_before_and_after_what_they_move() {
    fine(schedule("hourly", "0 * * * *", ""));
    String day = "{\"until\": \"2026-01-02T00:00:00Z\", \"reason\": \"migration\"}";

    JsonNode dryRun = fine(site.post("/freeze?dryRun=true", day)).json();
    assertThat(dryRun.path("dryRun").asBoolean()).isTrue();
    assertThat(dryRun.at("/slots/moved").asLong()).isEqualTo(23);
    assertThat(site.get("/quiet-hours").json().path("items")).isEmpty();
    JsonNode frozen = fine(site.post("/freeze", day)).json();
    assertThat(frozen.path("slots")).isEqualTo(dryRun.path("slots"));
    assertThat(fine(site.post("/thaw?dryRun=true", "")).json().at("/slots/moved").asLong())
        .isEqualTo(23);
    assertThat(fine(site.post("/thaw?dryRun=true", "")).json().path("stillFrozen")).isEmpty();
    assertThat(fine(site.post("/thaw", "")).json().at("/slots/moved").asLong()).isEqualTo(23);
  }

  @Test
  void a_recorded_decision_names_what_decided_it_as_the_forecast_did() {
    fine(site.put("/calendars/it", IT));
    fine(site.put("/quiet-hours/night", NIGHT.replace("defer", "skip")));
    fine(schedule("skips", "0 12 * * *", ", \"calendar\": {\"name\": \"it\", \"roll\": \"skip\"}"));
    fine(schedule("rolls", "0 12 * * *", ", \"calendar\": {\"name\": \"it\"}"));
    fine(schedule("sleeps", "0 0,12 * * *", ", \"quietHours\": \"night\""));
    String weekend = "from=2026-01-02T13:00:00Z&to=2026-01-05T13:00:00Z";
    List<String> forecast = reasons(weekend);
    assertThat(forecast)
        .containsOnly("calendar: it", "merged: 2026-01-03T12:00:00Z", "quiet_hours: night");

    site.carillon.pass(Duration.ofDays(5));

    assertThat(reasons(weekend)).isEqualTo(forecast);
  }

  private List<String> reasons(String period) {
    return Stream.of("skips", "rolls", "sleeps")
        .map(key -> fine(site.get("/schedules/" + key + "/fires?" + period)).json().path("items"))
        .flatMap(items -> StreamSupport.stream(items.spliterator(), false))
        .map(item -> item.path("reason").asText(""))
        .filter(reason -> !reason.isEmpty() && !reason.equals("null"))
        .toList();
  }

  @Test
  void a_dry_run_with_a_key_changes_nothing_either() {
    fine(site.put("/calendars/it", IT));
    for (String[] post :
        List.of(
            new String[] {"/freeze", "{\"until\": \"2026-01-02T00:00:00Z\", \"reason\": \"x\"}"},
            new String[] {"/thaw", "{}"},
            new String[] {"/calendars/it/import", "{\"country\": \"US\", \"years\": [2026]}"})) {
      Request request =
          site.request("POST", post[0] + "?dryRun=true", post[1])
              .header("Idempotency-Key", "dry" + post[0]);
      assertThat(fine(site.send(request)).json().path("dryRun").asBoolean()).isTrue();
      assertThat(fine(site.send(request)).json().path("dryRun").asBoolean()).isTrue();
    }
    assertThat(site.get("/quiet-hours").json().path("items")).isEmpty();
    assertThat(site.get("/calendars/it").json().path("version").asInt()).isEqualTo(1);
  }

  @Test
  void the_dry_run_of_a_deletion_tells_who_is_in_the_way() {
    fine(site.put("/calendars/it", IT));
    fine(site.put("/quiet-hours/night", NIGHT));
    fine(
        schedule(
            "nightly",
            "0 3 * * *",
            ", \"calendar\": {\"name\": \"it\"}, \"quietHours\": \"night\""));

    for (String path : List.of("/calendars/it", "/quiet-hours/night")) {
      JsonNode dryRun = fine(site.delete(path + "?dryRun=true")).json();
      assertThat(dryRun.path("result").asText()).isEqualTo("in_use");
      assertThat(dryRun.at("/users/firstSchedules/0").asText()).isEqualTo("nightly");
      assertThat(site.delete(path).status()).isEqualTo(409);
    }
    fine(site.delete("/schedules/nightly"));
    for (String path : List.of("/calendars/it", "/quiet-hours/night")) {
      assertThat(fine(site.delete(path + "?dryRun=true")).json().path("result").asText())
          .isEqualTo("deleted");
      assertThat(site.delete(path).status()).isEqualTo(204);
      assertThat(site.delete(path + "?dryRun=true").status()).isEqualTo(404);
    }
  }

  @Test
  void the_schedule_of_the_contract_is_accepted_as_it_is() {
    fine(site.put("/calendars/it", IT));
    fine(site.put("/quiet-hours/night", NIGHT));
    for (String target : List.of("send-report", "page-someone")) {
      fine(site.put("/targets/" + target, "{\"type\": \"noop\"}"));
    }
    String sample =
        """
        {
          "key": "nightly-report",
          "target": "send-report",
          "payload": {"to": "ops"},
          "timing": {"cron": "0 2 * * *", "zone": "Europe/Rome", "dstGap": "fire_after", "dstOverlap": "auto"},
          "window": {"from": "2026-01-01T00:00:00Z", "until": null},
          "jitter": "PT10S",
          "calendar": {"name": "it", "roll": "following"},
          "quietHours": "night",
          "overlap": "skip",
          "catchUp": {"mode": "once", "limit": 10, "maxAge": "P1D", "grace": "PT5M"},
          "retry": {"attempts": 3, "backoff": "PT2S", "factor": 2.0, "maxBackoff": "PT5M"},
          "recovery": "resubmit",
          "timeout": "PT10M",
          "deadline": {"after": "PT1H", "calendar": "it", "escalateTo": "page-someone"},
          "pauseAfterFailures": 5,
          "maxRuns": null,
          "description": "…", "tags": ["reports"]
        }
        """;

    assertThat(fine(site.put("/schedules/nightly-report", sample)).status()).isEqualTo(201);
    JsonNode shown = site.get("/schedules/nightly-report").json();
    assertThat(shown.at("/calendar/name").asText()).isEqualTo("it");
    assertThat(shown.at("/calendar/roll").asText()).isEqualTo("following");
    assertThat(shown.path("quietHours").asText()).isEqualTo("night");
    assertThat(shown.at("/next/0").asText()).isEqualTo("2026-01-01T01:00:00Z");
    assertThat(shown.at("/nextDue/0").asText()).startsWith("2026-01-01T07:00:");
    assertThat(site.put("/schedules/nightly-report", sample).status()).isEqualTo(200);
    assertThat(site.get("/schedules/nightly-report").json().path("version").asInt()).isEqualTo(1);
  }

  @Test
  void what_can_never_be_due_is_refused_with_its_field_and_the_cure() {
    fine(site.put("/calendars/it", IT));
    fine(site.put("/quiet-hours/night", NIGHT));
    fine(site.put("/quiet-hours/nights-off", NIGHT.replace("defer", "skip")));

    assertThat(error(schedule("s", "0 3 * * *", ", \"calendar\": {\"name\": \"nowhere\"}")))
        .isEqualTo(
            "/calendar/name: schedule 's': there is no calendar 'nowhere'; create it first, or use"
                + " one of: it");
    assertThat(error(schedule("s", "0 3 * * *", ", \"quietHours\": \"nowhere\"")))
        .isEqualTo(
            "/quietHours: schedule 's': there are no quiet hours 'nowhere'; create them first, or"
                + " use one of: night, nights-off");
    assertThat(
            error(
                schedule("s", "0 3 * * *", ", \"calendar\": {\"name\": \"it\", \"roll\": \"up\"}")))
        .startsWith("/calendar/roll: ");
    assertThat(
            error(
                schedule("s", "0 3 * * *", ", \"calendar\": {\"name\": \"it\", \"offset\": 5000}")))
        .startsWith("/calendar/offset: ");
    assertThat(error(schedule("s", "0 3 * * *", ", \"quietHours\": \"nights-off\"")))
        .startsWith("/timing: schedule 's' would never fire: quiet hours 'nights-off' leaves out");
    assertThat(
            error(
                schedule(
                    "s", "0 3 * * SAT", ", \"calendar\": {\"name\": \"it\", \"roll\": \"skip\"}")))
        .startsWith("/timing: schedule 's' would never fire: calendar 'it' leaves out its slot");
    assertThat(
            error(
                schedule(
                    "s",
                    "0 3 * * SAT",
                    ", \"calendar\": {\"name\": \"it\", \"roll\": \"following\"}, \"window\":"
                        + " {\"from\": \"2026-01-03T00:00:00Z\", \"until\":"
                        + " \"2026-01-04T00:00:00Z\"}")))
        .contains("would never fire", "; change the timing, the window, or the calendar");
    assertThat(
            error(
                site.put(
                    "/schedules/s",
                    "{\"target\": \"noop\", \"timing\": {\"every\": \"PT1S\"}, \"quietHours\":"
                        + " \"night\"}")))
        .startsWith("/quietHours: schedule 's' fires more often than once a minute");
    for (String method : List.of("PUT", "PATCH")) {
      fine(schedule("good", "0 3 * * *", ""));
      Answer refused =
          site.send(
              site.request(
                  method,
                  "/schedules/good" + "?dryRun=true",
                  method.equals("PUT")
                      ? "{\"target\": \"noop\", \"timing\": {\"cron\": \"0 3 * * *\"},"
                          + " \"quietHours\": \"nowhere\"}"
                      : "{\"quietHours\": \"nowhere\"}"));
      assertThat(error(refused)).startsWith("/quietHours: ");
    }
  }

  @Test
  void a_schedule_that_quiet_hours_of_its_tags_never_let_fire_is_warned_of() {
    String skip = NIGHT.replace("defer", "skip").replace("{\"zone", "{\"tags\": [\"a\"], \"zone");
    fine(site.put("/quiet-hours/nights", skip));
    fine(site.put("/quiet-hours/days", skip.replace("22:00-07:00", "07:00-22:00")));
    String tagged =
        "{\"target\": \"noop\", \"timing\": {\"cron\": \"0 * * * *\"}, \"tags\": [\"a\"]}";

    String warning =
        "it would never fire: quiet hours 'nights' leaves out its slot 2026-01-01T01:00:00Z"
            + " (22:00-07:00 is quiet), and so on for two years; change the timing, or the quiet"
            + " hours";
    for (Answer told :
        List.of(
            site.put("/schedules/tagged?dryRun=true", tagged),
            site.put("/schedules/tagged", tagged),
            site.get("/schedules/tagged"))) {
      assertThat(fine(told).json().at("/warnings/0/code").asText()).isEqualTo("never_fires");
      assertThat(told.json().at("/warnings/0/message").asText()).isEqualTo(warning);
    }
    fine(site.delete("/quiet-hours/days"));
    assertThat(fine(site.get("/schedules/tagged")).json().path("warnings")).isEmpty();
  }

  @Test
  void quiet_hours_for_everything_that_would_never_be_over_together_are_refused() {
    String day =
        "{\"zone\": \"UTC\", \"windows\": [{\"hours\": \"07:00-22:00\"}], \"action\":"
            + " \"coalesce\", \"everything\": true}";
    fine(
        site.put(
            "/quiet-hours/night", NIGHT.replace("\"defer\"", "\"defer\", \"everything\": true")));

    assertThat(error(site.put("/quiet-hours/day", day)))
        .isEqualTo(
            "/windows: together with quiet hours 'night' it would always be quiet; leave some time"
                + " in which runs can start");
    fine(site.put("/quiet-hours/day", day.replace("22:00", "21:59")));
  }

  @Test
  void calendars_without_a_common_working_day_are_not_combined() {
    fine(
        site.put(
            "/calendars/week", "{\"zone\": \"UTC\", \"weekend\": [\"saturday\", \"sunday\"]}"));
    fine(
        site.put(
            "/calendars/weekend",
            "{\"zone\": \"UTC\", \"weekend\": [\"monday\", \"tuesday\", \"wednesday\","
                + " \"thursday\", \"friday\"]}"));

    assertThat(error(site.put("/calendars/both", "{\"combines\": [\"week\", \"weekend\"]}")))
        .startsWith("/combines: ")
        .contains("business day", "combine calendars that have business days in common");
    fine(site.put("/calendars/both", "{\"combines\": [\"week\"]}"));
    fine(
        site.put(
            "/calendars/other", "{\"combines\": [\"week\", \"both\"]}".replace(", \"both\"", "")));
    assertThat(error(site.put("/calendars/both", "{\"combines\": [\"week\", \"both\"]}")))
        .startsWith("/combines: a calendar cannot combine itself");
  }

  @Test
  void holidays_that_end_before_the_window_are_warned_of_and_so_are_those_that_end_soon() {
    fine(site.put("/calendars/it", IT));
    String until = ", \"window\": {\"until\": \"%s\"}, \"calendar\": {\"name\": \"it\"}";
    String expected =
        "the holidays of calendar 'it' are known until 2027-12-31 only; import the years after"
            + " that, or set its coverageUntil";

    Answer dryRun =
        site.put(
            "/schedules/long?dryRun=true",
            "{\"target\": \"noop\", \"timing\": {\"cron\": \"0 3 * * *\"}"
                + until.formatted("2030-01-01T00:00:00Z")
                + "}");
    assertThat(fine(dryRun).json().at("/warnings").toString()).contains(expected);
    fine(schedule("long", "0 3 * * *", until.formatted("2030-01-01T00:00:00Z")));
    fine(schedule("short", "0 3 * * *", until.formatted("2027-01-01T00:00:00Z")));
    fine(schedule("open", "0 3 * * *", ", \"calendar\": {\"name\": \"it\"}"));
    assertThat(site.get("/schedules/long").json().at("/warnings/0/message").asText())
        .isEqualTo(expected);
    assertThat(site.get("/schedules/short").json().has("warnings")).isFalse();
    assertThat(site.get("/schedules/open").json().has("warnings")).isFalse();

    site.clock.advance(Duration.ofDays(670)); // 2027-11-02
    assertThat(site.get("/schedules/open").json().at("/warnings/0/code").asText())
        .isEqualTo("coverage_ends");
    assertThat(site.get("/calendars/it").json().at("/warnings/0/code").asText())
        .isEqualTo("coverage_ends");
    assertThat(site.sendTo("GET", "/health", "").json().path("reasons").toString())
        .contains("calendar: the holidays of 'it' are known for 59 more days");
    assertThat(site.send(site.as(Role.ADMIN, Request.of("GET", "/metrics"))).text())
        .contains("carillon_calendar_coverage_days{calendar=\"it\"} 59.0");
  }

  @Test
  void freezes_of_tags_that_overlap_do_not_stop_one_another() {
    fine(schedule("both", "0 * * * *", ", \"tags\": [\"a\", \"b\"]"));
    List<Integer> statuses =
        IntStream.range(0, 24)
            .mapToObj(
                i ->
                    CompletableFuture.supplyAsync(
                        () -> {
                          String tags = i % 2 == 0 ? "[\"a\", \"b\"]" : "[\"b\", \"a\"]";
                          return (i % 3 == 0
                                  ? site.post("/thaw", "{\"tags\": %s}".formatted(tags))
                                  : site.post(
                                      "/freeze",
                                      "{\"until\": \"2026-01-0%s\", \"reason\": \"%s\", \"tags\": %s}"
                                          .formatted(2 + i % 3 + "T00:00:00Z", i, tags)))
                              .status();
                        }))
            .toList()
            .stream()
            .map(CompletableFuture::join)
            .distinct()
            .toList();

    assertThat(statuses).containsExactly(200);
  }

  @Test
  void an_instant_of_a_freeze_that_makes_no_sense_is_told_with_its_field() {
    assertThat(
            error(
                site.post(
                    "/freeze",
                    "{\"from\": \"2026-02-02T00:00:00Z\", \"until\": \"2026-02-01T00:00:00Z\","
                        + " \"reason\": \"x\"}")))
        .startsWith("/until: ");
    assertThat(
            error(
                site.post(
                    "/freeze",
                    "{\"until\": \"2026-02-01T00:00:00Z\", \"reason\": \"x\", \"tags\": [\"a\\nb\"]}")))
        .startsWith("/tags: ");
    assertThat(
            error(site.post("/freeze", "{\"until\": \"2026-02-01T00:00:00Z\", \"reason\": \" \"}")))
        .startsWith("/reason: ");
    for (String reason : List.of("x".repeat(501), "two\\nlines", "a\\u001b[31mb")) {
      assertThat(
              error(
                  site.post(
                      "/freeze",
                      "{\"until\": \"2026-02-01T00:00:00Z\", \"reason\": \"%s\"}"
                          .formatted(reason))))
          .startsWith("/reason: ");
    }
  }

  @Test
  void odd_names_are_refused_or_kept_as_they_are() {
    for (String name : List.of("a%0Ab", "a%00b", "%20a", "x".repeat(201), "a%1Bb")) {
      for (String kind : List.of("/calendars/", "/quiet-hours/")) {
        Answer answer = site.put(kind + name, kind.equals("/calendars/") ? IT : NIGHT);
        assertThat(answer.status()).as(kind + name).isBetween(400, 422);
      }
    }
    for (String name :
        List.of("%C3%A4%20%F0%9F%8E%89", "a%2Fb", "x".repeat(200), "..%2F..", "'%22")) {
      for (String kind : List.of("/calendars/", "/quiet-hours/")) {
        Answer answer = site.put(kind + name, kind.equals("/calendars/") ? IT : NIGHT);
        assertThat(answer.status()).as(kind + name + answer.text()).isEqualTo(201);
        fine(site.get(kind + name));
        fine(site.delete(kind + name));
      }
    }
  }

  @Test
  void sixteen_calendars_are_combined_and_not_more() {
    for (int i = 0; i < 17; i++) {
      fine(site.put("/calendars/c" + i, IT.replace("01-06", "01-" + (10 + i))));
    }
    List<String> names = IntStream.range(0, 17).mapToObj(i -> "\"c" + i + "\"").toList();
    fine(
        site.put(
            "/calendars/many",
            "{\"combines\": [%s]}".formatted(String.join(",", names.subList(0, 16)))));
    JsonNode days = site.get("/calendars/many/days?from=2026-01-10&to=2026-01-27").json();
    assertThat(days.path("businessDays").asInt()).isEqualTo(1);
    assertThat(
            error(
                site.put(
                    "/calendars/many", "{\"combines\": [%s]}".formatted(String.join(",", names)))))
        .startsWith("/combines: ");
  }

  @Test
  void a_deletion_that_races_with_a_schedule_leaves_no_schedule_without_its_calendar() {
    for (int round = 0; round < 10; round++) {
      String name = "race" + round;
      fine(site.put("/calendars/" + name, IT));
      var made =
          CompletableFuture.supplyAsync(
              () ->
                  schedule(name, "0 3 * * *", ", \"calendar\": {\"name\": \"%s\"}".formatted(name))
                      .status());
      var deleted = CompletableFuture.supplyAsync(() -> site.delete("/calendars/" + name).status());
      assertThat(Stream.of(made.join(), deleted.join()).toList())
          .isIn(List.of(201, 409), List.of(422, 204));
    }
  }

  @Test
  void calendars_and_quiet_hours_of_others_cannot_be_changed_with_a_scope() {
    JsonNode token =
        fine(site.post(
                "/tokens",
                "{\"name\": \"n\", \"roles\": [\"editor\"], \"scope\": {\"tags\": [\"mine\"]}}"))
            .json();
    for (Request request :
        List.of(
            site.request("PUT", "/calendars/it", IT),
            site.request("PUT", "/quiet-hours/night", NIGHT),
            site.request("DELETE", "/calendars/it", ""),
            site.request(
                "POST", "/freeze", "{\"until\": \"2026-01-02T00:00:00Z\", \"reason\": \"x\"}"),
            site.request(
                "POST",
                "/freeze",
                "{\"until\": \"2026-01-02T00:00:00Z\", \"reason\": \"x\", \"tags\": [\"mine\"]}"),
            site.request("POST", "/thaw", "{}"))) {
      Answer answer =
          site.send(request.header("Authorization", "Bearer " + token.path("token").asText()));
      assertThat(answer.status()).as(request.path() + answer.text()).isEqualTo(403);
    }
    assertThat(
            StreamSupport.stream(site.get("/calendars").json().path("items").spliterator(), false))
        .isEmpty();
  }
}
