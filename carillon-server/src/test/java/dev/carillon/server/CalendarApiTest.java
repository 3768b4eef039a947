package dev.carillon.server;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.carillon.fixture.EmbeddedPostgres;
import dev.carillon.fixture.Psql;
import dev.carillon.server.web.Request;
import dev.carillon.server.web.Role;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.StreamSupport;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@ExtendWith(EmbeddedPostgres.class)
class CalendarApiTest {
  private static final String IT =
      """
      {"zone": "Europe/Rome", "description": "Italy",
       "hours": {"monday": ["09:00-12:00", "13:00-17:00"], "tuesday": ["09:00-17:00"],
                 "wednesday": ["09:00-17:00"], "thursday": ["09:00-17:00"], "friday": ["22:00-06:00"]},
       "holidays": [{"date": "2026-04-06", "name": "Easter Monday"}],
       "recurringHolidays": [{"day": "12-25", "name": "Natale"}],
       "extraWorkingDays": [{"date": "2026-05-09", "name": "stocktaking", "hours": ["10:00-11:00"]}],
       "halfDays": [{"date": "2026-12-24", "closes": "12:00"}],
       "coverageUntil": "2027-12-31"}
      """;

  private final Site site;
  private final Psql psql;
  private final String name = "cal-" + Long.toHexString(System.nanoTime());

  CalendarApiTest(DataSource source) {
    site = new Site(source);
    psql = new Psql(source);
  }

  @AfterEach
  void close() {
    site.close();
  }

  private Answer save(String body) {
    return site.put("/calendars/" + name, body);
  }

  private static List<String> texts(JsonNode list, String field) {
    return StreamSupport.stream(list.spliterator(), false)
        .map(item -> item.path(field).asText())
        .toList();
  }

  private static String error(Answer answer) {
    JsonNode first = answer.json().path("errors").path(0);
    return first.path("pointer").asText(first.path("parameter").asText())
        + ": "
        + first.path("message").asText();
  }

  @Test
  void a_calendar_is_shown_as_it_was_saved_and_can_be_saved_as_it_is_shown() {
    Answer created = save(IT);

    assertThat(created.status()).isEqualTo(201);
    assertThat(created.headers().get("ETag")).isEqualTo("\"1\"");
    JsonNode shown = site.get("/calendars/" + name).json();
    assertThat(shown.at("/hours/monday/1").asText()).isEqualTo("13:00-17:00");
    assertThat(shown.at("/hours/friday/0").asText()).isEqualTo("22:00-06:00");
    assertThat(shown.at("/weekend").toString()).isEqualTo("[\"saturday\",\"sunday\"]");
    assertThat(shown.at("/halfDays/0/closes").asText()).isEqualTo("12:00");
    assertThat(shown.at("/extraWorkingDays/0/hours/0").asText()).isEqualTo("10:00-11:00");
    assertThat(save(IT).status()).isEqualTo(200);
    assertThat(site.get("/calendars/" + name).json().path("version").asInt()).isEqualTo(1);
    assertThat(texts(site.get("/calendars").json().path("items"), "name")).contains(name);
  }

  @Test
  void an_edit_needs_the_version_that_if_match_names() {
    assertThat(
            site.send(site.request("PUT", "/calendars/" + name, IT).header("If-Match", "\"1\""))
                .status())
        .isEqualTo(412);
    save(IT);
    assertThat(
            site.send(site.request("PUT", "/calendars/" + name, IT).header("If-None-Match", "*"))
                .status())
        .isEqualTo(412);
    String edited = IT.replace("Italy", "Italia");
    assertThat(
            site.send(site.request("PUT", "/calendars/" + name, edited).header("If-Match", "\"2\""))
                .status())
        .isEqualTo(412);
    assertThat(
            site.send(site.request("PUT", "/calendars/" + name, edited).header("If-Match", "\"1\""))
                .json()
                .path("version")
                .asInt())
        .isEqualTo(2);
    assertThat(
            site.send(site.request("DELETE", "/calendars/" + name, "").header("If-Match", "\"1\""))
                .status())
        .isEqualTo(412);
    assertThat(site.delete("/calendars/" + name).status()).isEqualTo(204);
    assertThat(site.delete("/calendars/" + name).status()).isEqualTo(404);
    assertThat(save(IT).json().path("version").asInt()).isEqualTo(3);
  }

  @Test
  void of_many_edits_of_one_version_at_a_time_one_is_done() {
    save(IT);
    List<Integer> statuses =
        IntStream.range(0, 8)
            .mapToObj(
                i ->
                    CompletableFuture.supplyAsync(
                        () ->
                            site.send(
                                    site.request(
                                            "PUT",
                                            "/calendars/" + name,
                                            IT.replace("Italy", "Italy " + i))
                                        .header("If-Match", "\"1\""))
                                .status()))
            .toList()
            .stream()
            .map(CompletableFuture::join)
            .sorted()
            .toList();

    assertThat(statuses).containsExactly(200, 412, 412, 412, 412, 412, 412, 412);
  }

  @Test
  void what_is_wrong_is_told_with_its_field() {
    assertThat(error(save("{}"))).startsWith("/zone: say in which time zone");
    assertThat(error(save("{\"zone\": \"Mars/Olympus\"}"))).startsWith("/zone: ");
    assertThat(
            error(
                save(
                    "{\"zone\": \"UTC\", \"weekend\": [\"monday\", \"tuesday\", \"wednesday\","
                        + " \"thursday\", \"friday\", \"saturday\", \"sunday\"]}")))
        .isEqualTo("/weekend: all seven days are weekend; leave out those that are worked on");
    assertThat(error(save("{\"zone\": \"UTC\", \"weekend\": [\"sat\"]}")))
        .startsWith("/weekend: 'sat' is no weekday; use one of monday, ");
    assertThat(error(save("{\"zone\": \"UTC\", \"holidays\": [{\"date\": \"25.12.2026\"}]}")))
        .isEqualTo("/holidays/0/date: must be a date, such as 2026-12-25; was '25.12.2026'");
    assertThat(
            error(
                save(
                    "{\"zone\": \"UTC\", \"holidays\": [{\"date\": \"2026-12-25\"}, {\"date\":"
                        + " \"2026-12-25\"}]}")))
        .isEqualTo("/holidays/1/date: 2026-12-25 is listed twice; give it once");
    assertThat(error(save("{\"zone\": \"UTC\", \"hours\": {\"monday\": [\"9-17\"]}}")))
        .startsWith("/hours/monday: '9-17' is no span of hours");
    assertThat(error(save("{\"zone\": \"UTC\", \"hours\": {\"monday\": [\"09:00-17:00\"]}}")))
        .isEqualTo("/hours: Tuesday has no hours; add some, or make it part of the weekend");
    assertThat(error(save("{\"zone\": \"UTC\", \"holiday\": []}"))).startsWith("/holiday: ");
    assertThat(error(save("{\"combines\": [\"nowhere\"]}")))
        .isEqualTo("/combines: there is no calendar 'nowhere'; save it first, or correct the name");
    assertThat(error(save("{\"combines\": [\"a\"], \"zone\": \"UTC\"}"))).startsWith("/zone: ");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "holidays | date | 2026-02-30",
        "recurringHolidays | day | 02-30",
        "extraWorkingDays | date | 2026-02-30",
        "halfDays | date | 2026-02-30"
      })
  void a_day_that_does_not_exist_is_all_that_is_told_of_it(
      String field, String day, String written) {
    Answer refused =
        save(
            "{\"zone\": \"UTC\", \"%s\": [{\"%s\": \"%s\", \"name\": \"Never\"}]}"
                .formatted(field, day, written));

    assertThat(error(refused)).startsWith("/%s/0/%s: must be a ".formatted(field, day));
    assertThat(refused.json().path("errors")).hasSize(1);
  }

  @Test
  void twenty_thousand_holidays_are_refused() {
    String many =
        IntStream.range(0, 20_000)
            .mapToObj(i -> "{\"date\": \"2026-12-25\"}")
            .collect(Collectors.joining(","));
    assertThat(error(save("{\"zone\": \"UTC\", \"holidays\": [" + many + "]}")))
        .isEqualTo("/holidays: has at most 5000 items; these are 20000");
  }

  @Test
  void days_are_told_with_their_reasons_for_up_to_three_years() {
    save(IT);
    JsonNode days = site.get("/calendars/" + name + "/days?from=2026-04-03&to=2026-04-08").json();
    assertThat(texts(days.path("days"), "kind"))
        .containsExactly("business", "weekend", "weekend", "holiday", "business");
    assertThat(days.at("/days/3/because").asText()).isEqualTo("2026-04-06 is Easter Monday");
    assertThat(days.path("businessDays").asInt()).isEqualTo(2);
    assertThat(site.get("/calendars/" + name + "/days").json().path("days")).hasSize(365);
    assertThat(error(site.get("/calendars/" + name + "/days?from=2026-01-01&to=2036-01-01")))
        .contains("must be from 0 to 1098 days after 'from'");
    assertThat(site.get("/calendars/" + name + "/days?from=yesterday").status()).isEqualTo(400);
    assertThat(site.get("/calendars/none/days").status()).isEqualTo(404);
  }

  @Test
  void a_calendar_in_use_is_not_deleted_and_the_first_ten_users_are_named() {
    save(IT);
    site.put("/calendars/" + name + "-both", "{\"combines\": [\"%s\"]}".formatted(name));
    for (int i = 0; i < 12; i++) {
      String key = name + "-" + (char) ('a' + i);
      site.put(
          "/schedules/" + key, "{\"target\": \"noop\", \"timing\": {\"cron\": \"0 2 * * *\"}}");
      psql.execute(
          """
          update carillon.schedule_version
             set definition = definition || '{"calendar": {"name": "%s", "roll": "following"}}'
            from carillon.schedule
           where schedule.id = schedule_id
             and key = '%s'
          """
              .formatted(name, key));
    }

    Answer refused = site.delete("/calendars/" + name);
    assertThat(refused.status()).isEqualTo(409);
    assertThat(refused.json().path("code").asText()).isEqualTo("calendar-in-use");
    assertThat(refused.json().path("detail").asText())
        .startsWith("12 schedules use it: " + name + "-a, " + name + "-b, ")
        .endsWith(name + "-j and 2 more. It is combined by: " + name + "-both.");
    JsonNode users = site.get("/calendars/" + name + "/users").json();
    assertThat(users.path("schedules").asInt()).isEqualTo(12);
    assertThat(users.path("firstSchedules")).hasSize(12);
    psql.execute(
        "update carillon.schedule_version set definition = definition - 'calendar', retired_at = created_at");
  }

  @Test
  void the_holidays_of_a_calendar_in_use_that_end_soon_are_warned_of() {
    Answer created = save(IT.replace("2027-12-31", "2026-02-01"));
    assertThat(created.json().at("/warnings/0/code").asText()).isEqualTo("coverage_ends");
    assertThat(site.sendTo("GET", "/health", "").json().path("reasons").toString())
        .doesNotContain(name);

    site.put("/schedules/" + name, "{\"target\": \"noop\", \"timing\": {\"cron\": \"0 2 * * *\"}}");
    psql.execute(
        """
        update carillon.schedule_version
           set definition = definition || '{"calendar": {"name": "%s", "roll": "following"}}'
          from carillon.schedule
         where schedule.id = schedule_id
           and key = '%s'
        """
            .formatted(name, name));
    site.clock.advance(Duration.ofMinutes(1));
    Answer health = site.sendTo("GET", "/health", "");
    assertThat(health.json().path("reasons").toString())
        .contains("calendar: the holidays of '%s' are known for 31 more days".formatted(name));
    assertThat(site.send(site.as(Role.ADMIN, Request.of("GET", "/metrics"))).text())
        .contains("carillon_calendar_coverage_days{calendar=\"%s\"} 31.0".formatted(name));
    psql.execute(
        "update carillon.schedule_version set definition = definition - 'calendar', retired_at = created_at");
  }

  @Test
  void a_dry_run_tells_what_would_change_and_changes_nothing() {
    save(IT);
    JsonNode dryRun =
        site.put(
                "/calendars/" + name + "?dryRun=true",
                IT.replace("\"2026-04-06\"", "\"2026-04-07\""))
            .json();

    assertThat(texts(dryRun.path("changes"), "field"))
        .containsExactly("holidays/2026-04-06", "holidays/2026-04-07");
    assertThat(texts(dryRun.path("days"), "date")).containsExactly("2026-04-06", "2026-04-07");
    assertThat(dryRun.path("businessDaysGained").asInt()).isEqualTo(1);
    assertThat(dryRun.path("businessDaysLost").asInt()).isEqualTo(1);
    assertThat(site.get("/calendars/" + name).json().path("version").asInt()).isEqualTo(1);
  }

  @Test
  void a_dry_run_tells_the_hours_of_days_that_stay_business_days() {
    save(IT);
    JsonNode dryRun =
        site.put(
                "/calendars/" + name + "?dryRun=true",
                IT.replace(
                    "\"tuesday\": [\"09:00-17:00\"]",
                    "\"tuesday\": [\"09:00-12:00\", \"13:00-14:00\"]"))
            .json();

    assertThat(dryRun.at("/days/0/from").asText()).isEqualTo("business");
    assertThat(dryRun.at("/days/0/to").asText()).isEqualTo("business");
    assertThat(dryRun.at("/days/0/because").asText())
        .isEqualTo("its working hours are 09:00-12:00 and 13:00-14:00");
    assertThat(dryRun.path("businessDaysLost").asInt()).isZero();
  }

  @Test
  void an_import_after_a_list_of_holidays_has_ended_does_not_count_as_known() {
    Answer imported =
        site.post(
            "/calendars/" + name + "/import?zone=Asia/Singapore",
            "{\"country\": \"SG\", \"years\": [2026, 2027]}");

    assertThat(imported.json().path("coverageUntil").asText()).isEqualTo("2024-12-31");
    assertThat(imported.json().path("notes").toString())
        .contains("Chinese New Year, Deepavali and Vesak Day are known until 2024 only");
    assertThat(site.get("/calendars/" + name).json().at("/warnings/0/code").asText())
        .isEqualTo("coverage_ends");
  }

  @Test
  void versions_stay_and_can_be_compared() {
    save(IT);
    site.put(
        "/calendars/" + name + "?reason=strike",
        IT.replace("Easter Monday", "Pasquetta").replace("Europe/Rome", "Europe/Paris"));

    JsonNode versions = site.get("/calendars/" + name + "/versions").json();
    assertThat(texts(versions.path("items"), "reason")).containsExactly("strike", "");
    JsonNode diff = site.get("/calendars/" + name + "/versions/1/diff").json();
    assertThat(texts(diff.path("changes"), "field")).containsExactly("zone", "holidays/2026-04-06");
    assertThat(site.get("/calendars/" + name + "/versions/1").json().path("zone").asText())
        .isEqualTo("Europe/Rome");
    assertThat(site.get("/calendars/" + name + "/versions/3").status()).isEqualTo(404);
  }

  @Test
  void the_holidays_of_a_country_are_imported_as_they_are_known_now() {
    Answer imported =
        site.post(
            "/calendars/" + name + "/import?zone=Europe/Berlin",
            "{\"country\": \"DE\", \"region\": \"BY\", \"years\": [2027, 2028]}");

    assertThat(imported.status()).isEqualTo(201);
    JsonNode calendar = site.get("/calendars/" + name).json();
    assertThat(calendar.path("coverageUntil").asText()).isEqualTo("2028-12-31");
    assertThat(texts(calendar.path("holidays"), "date"))
        .contains("2027-01-06", "2027-03-29", "2028-06-15")
        .doesNotContain("2027-03-08");
    assertThat(calendar.path("reason").asText())
        .isEqualTo("the public holidays of DE-BY in 2027, 2028");
    Answer again =
        site.post(
            "/calendars/" + name + "/import",
            "{\"country\": \"DE\", \"region\": \"BY\", \"years\": [2027, 2028]}");
    assertThat(again.status()).isEqualTo(200);
    assertThat(again.json().path("version").asInt()).isEqualTo(1);
    assertThat(again.json().path("changes")).isEmpty();
  }

  @Test
  void imports_of_several_years_at_a_time_are_all_kept() {
    List<Integer> statuses =
        IntStream.range(2026, 2032)
            .mapToObj(
                year ->
                    CompletableFuture.supplyAsync(
                        () ->
                            site.post(
                                    "/calendars/" + name + "/import?zone=Europe/Rome",
                                    "{\"country\": \"IT\", \"years\": [%s]}".formatted(year))
                                .status()))
            .toList()
            .stream()
            .map(CompletableFuture::join)
            .sorted()
            .toList();

    assertThat(statuses).containsExactly(200, 200, 200, 200, 200, 201);
    JsonNode calendar = site.get("/calendars/" + name).json();
    assertThat(texts(calendar.path("holidays"), "date"))
        .contains(
            "2026-06-02", "2027-06-02", "2028-06-02", "2029-06-02", "2030-06-02", "2031-06-02");
    Answer all =
        site.post(
            "/calendars/" + name + "/import",
            "{\"country\": \"IT\", \"years\": [2026, 2027, 2028, 2029, 2030, 2031]}");
    assertThat(texts(all.json().path("changes"), "field")).doesNotContain("holidays/2029-06-02");
    assertThat(all.json().path("coverageUntil").asText()).isEqualTo("2031-12-31");
  }

  @Test
  void holidays_are_known_up_to_the_first_year_that_an_import_leaves_out() {
    save(IT.replace("2027-12-31", "2026-12-31"));

    Answer later = importItaly("2028, 2030");
    assertThat(later.json().path("coverageUntil").asText()).isEqualTo("2026-12-31");
    assertThat(later.json().path("notes").toString())
        .isEqualTo("[\"the holidays of 2027, 2029 are missing; import them too\"]");
    assertThat(importItaly("2027, 2028").json().path("coverageUntil").asText())
        .isEqualTo("2028-12-31");
  }

  private Answer importItaly(String years) {
    Answer imported =
        site.post(
            "/calendars/" + name + "/import",
            "{\"country\": \"IT\", \"years\": [%s]}".formatted(years));
    assertThat(imported.status()).as(imported.text()).isEqualTo(200);
    return imported;
  }

  @Test
  void an_import_into_a_calendar_with_another_weekend_says_so() {
    save(IT);

    JsonNode imported =
        site.post("/calendars/" + name + "/import", "{\"country\": \"SA\", \"years\": [2026]}")
            .json();
    assertThat(imported.path("notes").toString())
        .isEqualTo(
            "[\"the weekend of the country is friday and saturday; the calendar keeps saturday and"
                + " sunday\"]");
  }

  @Test
  void unknown_countries_and_regions_are_refused_with_those_that_are_known() {
    assertThat(
            error(
                site.post(
                    "/calendars/" + name + "/import?zone=UTC",
                    "{\"country\": \"XX\", \"years\": [2027]}")))
        .startsWith("/country: 'XX' is not known; known are AD, AE, ");
    assertThat(
            error(
                site.post(
                    "/calendars/" + name + "/import?zone=UTC",
                    "{\"country\": \"DE\", \"region\": \"XX\", \"years\": [2027]}")))
        .startsWith("/region: 'XX' is no region of DE; known are BB, BE, ");
    assertThat(
            site.post(
                    "/calendars/" + name + "/import?zone=UTC",
                    "{\"country\": \"DE\", \"years\": [1]}")
                .status())
        .isEqualTo(422);
    assertThat(
            site.post("/calendars/" + name + "/import", "{\"country\": \"DE\", \"years\": [2027]}")
                .json()
                .path("detail")
                .asText()
                .isEmpty())
        .isFalse();
    assertThat(site.get("/calendars/" + name).status()).isEqualTo(404);
    assertThat(texts(site.get("/holiday-countries").json().path("countries"), "country"))
        .contains("DE", "IT", "JP", "US");
  }

  private Answer importFile(String text) {
    return site.send(
        site.request("POST", "/calendars/" + name + "/import?zone=Europe/Rome", text)
            .header("Content-Type", "text/calendar"));
  }

  @Test
  void an_icalendar_file_is_imported_and_written_again() {
    Answer imported =
        importFile(
            """
            BEGIN:VCALENDAR
            VERSION:2.0
            BEGIN:VEVENT
            UID:1
            SUMMARY:Patron
            DTSTART;VALUE=DATE:20270624
            END:VEVENT
            BEGIN:VEVENT
            UID:2
            SUMMARY:Meeting
            DTSTART:20270625T100000Z
            END:VEVENT
            END:VCALENDAR
            """);

    assertThat(imported.status()).isEqualTo(201);
    assertThat(imported.json().path("holidays").asInt()).isEqualTo(1);
    assertThat(imported.json().path("ignored").asInt()).isEqualTo(1);
    assertThat(imported.json().path("coverageUntil").asText()).isEqualTo("2027-12-31");
    assertThat(site.get("/calendars/" + name + "/ics").text())
        .startsWith("BEGIN:VCALENDAR")
        .contains("20270624")
        .contains("Patron");
  }

  @Test
  void repetitions_in_an_icalendar_file_do_not_make_the_holidays_of_later_years_known() {
    String file =
        """
        BEGIN:VCALENDAR
        BEGIN:VEVENT
        SUMMARY:Easter Monday
        DTSTART;VALUE=DATE:20270329
        END:VEVENT
        BEGIN:VEVENT
        SUMMARY:Patron, not in the year of the move
        DTSTART;VALUE=DATE:20200624
        RRULE:FREQ=YEARLY
        EXDATE;VALUE=DATE:20290624
        END:VEVENT
        BEGIN:VEVENT
        SUMMARY:Jubilee
        DTSTART;VALUE=DATE:20270901
        RRULE:FREQ=YEARLY;COUNT=5
        END:VEVENT
        END:VCALENDAR
        """;

    assertThat(importFile(file).json().path("coverageUntil").asText()).isEqualTo("2027-12-31");
    assertThat(texts(site.get("/calendars/" + name).json().path("holidays"), "date"))
        .contains("2028-06-24", "2030-06-24", "2031-09-01")
        .doesNotContain("2029-06-24");
  }

  @Test
  void hostile_files_are_refused_and_change_nothing() {
    for (String text :
        List.of(
            "no calendar",
            "BEGIN:VCALENDAR\r\nBEGIN:VEVENT\r\n",
            "BEGIN:VCALENDAR\r\nBEGIN:VEVENT\r\nDTSTART;VALUE=DATE:99999999\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n",
            "{\"country\": \"DE\"}",
            "\u0000".repeat(1000))) {
      assertThat(importFile(text).status()).as(text).isBetween(200, 422);
    }
    assertThat(importFile("no calendar").status()).isEqualTo(422);
  }

  @Test
  void quiet_hours_are_saved_listed_and_deleted() {
    String path = "/quiet-hours/" + name;
    String night =
        "{\"zone\": \"Europe/Rome\", \"windows\": [{\"hours\": \"22:00-07:00\"}], \"action\":"
            + " \"defer\", \"tags\": [\"b\", \"a\"]}";
    assertThat(site.put(path, night).status()).isEqualTo(201);
    assertThat(site.put(path, night).status()).isEqualTo(200);
    JsonNode shown = site.get(path).json();
    assertThat(shown.path("version").asInt()).isEqualTo(1);
    assertThat(shown.at("/windows/0/days")).hasSize(7);
    assertThat(shown.path("tags").toString()).isEqualTo("[\"a\",\"b\"]");
    assertThat(texts(site.get("/quiet-hours").json().path("items"), "name")).contains(name);
    assertThat(error(site.put(path, "{}"))).startsWith("/action: say what becomes of runs then");
    assertThat(
            error(
                site.put(
                    path,
                    "{\"action\": \"skip\", \"zone\": \"UTC\", \"windows\": [{\"hours\":"
                        + " \"00:00-24:00\"}]}")))
        .isEqualTo("/windows: it would always be quiet; leave some time in which runs can start");
    assertThat(
            error(
                site.put(
                    path, "{\"action\": \"skip\", \"windows\": [{\"hours\": \"22:00-07:00\"}]}")))
        .startsWith("/zone: ");
    assertThat(
            error(
                site.put(path, "{\"action\": \"skip\", \"everything\": true, \"tags\": [\"a\"]}")))
        .startsWith("/tags: ");
    assertThat(site.put("/quiet-hours/freeze", night).status()).isEqualTo(422);
    assertThat(site.delete(path).status()).isEqualTo(204);
    assertThat(site.get(path).status()).isEqualTo(404);
  }

  @Test
  void a_freeze_is_made_once_and_ended_by_a_thaw() {
    String request = "{\"until\": \"2026-01-02T00:00:00Z\", \"reason\": \"migration\"}";
    JsonNode frozen = site.post("/freeze", request).json().path("frozen").path(0);
    assertThat(frozen.path("name").asText()).isEqualTo("freeze");
    assertThat(frozen.path("everything").asBoolean()).isTrue();
    assertThat(frozen.path("action").asText()).isEqualTo("coalesce");
    int version = frozen.path("version").asInt();
    site.clock.advance(Duration.ofMinutes(5));
    assertThat(site.post("/freeze", request).json().at("/frozen/0/version").asInt())
        .isEqualTo(version);

    site.post(
        "/freeze",
        "{\"until\": \"2026-01-02T00:00:00Z\", \"reason\": \"audit\", \"tags\": [\"billing\"]}");
    JsonNode thawed = site.post("/thaw", "").json();
    assertThat(texts(thawed.path("thawed"), "name")).containsExactly("freeze");
    assertThat(thawed.at("/thawed/0/freezes/0/until").asText()).isEqualTo("2026-01-01T00:05:00Z");
    assertThat(texts(thawed.path("stillFrozen"), "name")).containsExactly("freeze:billing");
    assertThat(site.post("/thaw", "").json().path("thawed")).isEmpty();
    assertThat(site.post("/thaw", "{\"tags\": [\"billing\"]}").json().path("thawed")).hasSize(1);
    assertThat(texts(site.get("/audit?action=quiet_hours.thawed").json().path("items"), "action"))
        .hasSize(2);
  }

  @Test
  void a_freeze_needs_an_end_in_the_future_and_a_reason() {
    assertThat(error(site.post("/freeze", "{\"until\": \"2026-01-02T00:00:00Z\"}")))
        .startsWith("/reason: ");
    assertThat(
            error(site.post("/freeze", "{\"until\": \"2025-01-02T00:00:00Z\", \"reason\": \"x\"}")))
        .startsWith("/until: a freeze ends in the future; was 2025-01-02T00:00:00Z");
    assertThat(
            error(site.post("/freeze", "{\"until\": \"2029-01-02T00:00:00Z\", \"reason\": \"x\"}")))
        .startsWith("/until: a freeze lasts at most 366 days");
  }
}
