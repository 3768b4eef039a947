package dev.carillon.server;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.carillon.fixture.EmbeddedPostgres;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Timings by a calendar, and durations in working time, over REST. */
@ExtendWith(EmbeddedPostgres.class)
class CalendarTimingApiTest {
  private static final String HOURS = "[\"09:00-13:00\", \"14:00-18:00\"]";

  private final Site site;
  private final String name = "cal-" + Long.toHexString(System.nanoTime());
  private final String key = "schedule-" + Long.toHexString(System.nanoTime());

  CalendarTimingApiTest(DataSource source) {
    site = new Site(source);
  }

  @BeforeEach
  void calendar() {
    String hours =
        "\"monday\": H, \"tuesday\": H, \"wednesday\": H, \"thursday\": H, \"friday\": H"
            .replace("H", HOURS);
    Answer saved =
        site.put("/calendars/" + name, "{\"zone\": \"Europe/Rome\", \"hours\": {" + hours + "}}");
    assertThat(saved.status()).as(saved.text()).isLessThan(300);
  }

  @AfterEach
  void close() {
    site.close();
  }

  private Answer save(String timing) {
    return site.put(
        "/schedules/" + key,
        "{\"target\": \"log\", \"timing\": %s}".formatted(timing.replace("CAL", name)));
  }

  private static String error(Answer answer) {
    JsonNode first = answer.json().path("errors").path(0);
    return first.path("pointer").asText() + " " + first.path("message").asText();
  }

  @Test
  void a_business_day_of_the_month_is_shown_as_it_is_stored_and_saved_again_unchanged() {
    Answer created =
        save("{\"businessDay\": \"last\", \"time\": \"09:00\", \"calendar\": \"CAL\"}");

    assertThat(created.status()).as(created.text()).isEqualTo(201);
    JsonNode timing = created.json().path("timing");
    assertThat(timing.path("businessDay").asInt()).isEqualTo(-1);
    assertThat(timing.path("time").asText()).isEqualTo("09:00");
    assertThat(timing.path("zone").asText()).isEqualTo("Europe/Rome");
    assertThat(timing.path("calendar").asText()).isEqualTo(name);
    Answer again =
        site.put("/schedules/" + key, "{\"target\": \"log\", \"timing\": %s}".formatted(timing));
    assertThat(again.status()).isEqualTo(200);
    assertThat(again.json().path("version").asInt()).isEqualTo(1);
  }

  @Test
  void a_patch_changes_a_member_or_the_kind_of_timing() {
    save("{\"at\": \"open\", \"offset\": \"-PT15M\", \"calendar\": \"CAL\"}");

    Answer later = site.patch("/schedules/" + key, "{\"timing\": {\"offset\": \"PT5M\"}}");
    assertThat(later.json().path("timing").path("offset").asText()).isEqualTo("PT5M");
    assertThat(later.json().path("timing").path("at").asText()).isEqualTo("open");
    Answer once =
        site.patch("/schedules/" + key, "{\"timing\": {\"at\": \"2099-01-01T00:00:00Z\"}}");

    assertThat(once.status()).as(once.text()).isEqualTo(200);
    assertThat(once.json().path("timing").has("calendar")).isFalse();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "{'businessDay': 0, 'time': '09:00', 'calendar': 'CAL'} | /timing/businessDay a business day of the month is from 1 to 31",
        "{'businessDay': 32, 'time': '09:00', 'calendar': 'CAL'} | /timing/businessDay a business day of the month is from 1 to 31",
        "{'businessDay': 'first', 'time': '09:00', 'calendar': 'CAL'} | /timing/businessDay must be a whole number or 'last'",
        "{'businessDay': 3, 'calendar': 'CAL'} | /timing/time say at which time of day, such as 09:00",
        "{'businessDay': 3, 'time': '25:00', 'calendar': 'CAL'} | /timing/time must be a time of day",
        "{'businessDay': 3, 'time': '09:00'} | /timing/calendar say whose business days",
        "{'businessDay': 3, 'time': '09:00', 'calendar': 'nowhere'} | /timing/calendar",
        "{'businessDay': 3, 'time': '09:00', 'calendar': 'CAL', 'zone': 'Rome'} | /timing/zone",
        "{'businessDaysAfter': 0, 'date': '2099-01-01', 'time': '09:00', 'calendar': 'CAL'} | /timing/businessDaysAfter business days after a date are from 1 to 1000",
        "{'businessDaysAfter': 5, 'time': '09:00', 'calendar': 'CAL'} | /timing/date say after which date",
        "{'at': 'open', 'offset': 'P2D', 'calendar': 'CAL'} | /timing/offset an offset from open or close is from -1d to 1d",
        "{'at': 'close'} | /timing/calendar say whose business days",
        "{'businessDay': 3, 'cron': '* * * * *', 'calendar': 'CAL'} | /timing a timing has exactly one of cron, every, at, in, businessDay and businessDaysAfter",
      })
  void what_cannot_be_meant_is_refused_at_its_field(String timing, String error) {
    Answer answer = save(timing.replace('\'', '"'));

    assertThat(answer.status()).as(answer.text()).isEqualTo(422);
    assertThat(error(answer)).startsWith(error);
  }

  @Test
  void durations_in_working_time_are_taken_shown_and_refused() {
    String fields =
        """
        {"target": "log", "timing": {"cron": "0 2 * * *"}, "timeout": "PT8H", "timeoutCalendar": "CAL",
         "retry": {"attempts": 3, "backoff": "PT1H", "maxBackoff": "PT8H", "calendar": "CAL"},
         "deadline": {"after": "PT8H", "calendar": "CAL", "escalateTo": "log"}}
        """;
    Answer saved = site.put("/schedules/" + key, fields.replace("CAL", name));

    assertThat(saved.status()).as(saved.text()).isEqualTo(201);
    assertThat(saved.json().path("timeoutCalendar").asText()).isEqualTo(name);
    assertThat(saved.json().path("retry").path("calendar").asText()).isEqualTo(name);
    assertThat(saved.json().path("deadline").path("calendar").asText()).isEqualTo(name);
    assertThat(error(site.put("/schedules/other", fields.replace("CAL", "nowhere"))))
        .startsWith("/timeoutCalendar");
    assertThat(site.delete("/calendars/" + name).status()).isEqualTo(409);
    assertThat(error(site.patch("/schedules/" + key, "{\"timeout\": null}")))
        .startsWith("/timeoutCalendar a calendar counts the working time of timeout");
  }

  @Test
  void a_run_and_a_timeout_of_a_workflow_start_after_working_time() {
    Answer run =
        site.post(
            "/runs",
            "{\"target\": \"log\", \"in\": \"PT8H\", \"calendar\": \"%s\"}".formatted(name));
    Answer timeout =
        site.post(
            "/workflow-instances/i1/timeouts",
            "{\"timeout\": \"PT8H\", \"handlerStep\": \"s\", \"target\": \"log\", \"calendar\": \"%s\"}"
                .formatted(name));

    assertThat(run.status()).as(run.text()).isEqualTo(202);
    assertThat(timeout.status()).as(timeout.text()).isEqualTo(202);
    String unknown = "{\"target\": \"log\", \"in\": \"PT8H\", \"calendar\": \"nowhere\"}";
    assertThat(error(site.post("/runs", unknown))).startsWith("/calendar there is no calendar");
    assertThat(error(site.post("/runs", "{\"target\": \"log\", \"calendar\": \"x\"}")))
        .startsWith("/calendar a calendar counts the working time of in");
  }
}
