package dev.carillon.server;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.carillon.fixture.EmbeddedPostgres;
import dev.carillon.server.web.Request;
import java.util.ArrayList;
import java.util.List;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The resource {@code /forecast}, to which only the schedules of a test are visible. */
@ExtendWith(EmbeddedPostgres.class)
class ForecastApiTest {
  private final Site site;
  private final String prefix = "load-" + Long.toHexString(System.nanoTime()) + "-";

  ForecastApiTest(DataSource source) {
    site = new Site(source);
  }

  @AfterEach
  void close() {
    site.close();
  }

  private void put(String name, String timing) {
    Answer answer =
        site.put(
            "/schedules/" + prefix + name,
            "{\"target\": \"noop\", \"timing\": %s}".formatted(timing));
    assertThat(answer.status()).as(answer.text()).isIn(200, 201);
  }

  private String viewer() {
    return site.post(
            "/tokens",
            "{\"name\": \"v\", \"roles\": [\"viewer\"], \"scope\": {\"keys\": [\"%s\"]}}"
                .formatted(prefix))
        .at("/token");
  }

  private Answer forecast(String query) {
    Request request =
        Request.of("GET", "/api/v1/forecast")
            .from("192.0.2.7")
            .header("Authorization", "Bearer " + viewer());
    return site.send(query.isEmpty() ? request : request.query(query));
  }

  private static List<String> texts(JsonNode array) {
    var texts = new ArrayList<String>();
    array.forEach(item -> texts.add(item.asText()));
    return texts;
  }

  @Test
  void without_schedules_nothing_fires() {
    Answer answer = forecast("");

    assertThat(answer.status()).as(answer.text()).isEqualTo(200);
    assertThat(answer.at("/from")).isEqualTo("2026-01-01T00:00:00Z");
    assertThat(answer.at("/to")).isEqualTo("2026-01-02T00:00:00Z");
    assertThat(answer.json().at("/fires").asLong()).isZero();
    assertThat(answer.json().at("/firesPerMinute")).hasSize(1_440);
    assertThat(answer.json().at("/worst")).isEmpty();
    assertThat(answer.at("/spreading/text")).isEqualTo("Nothing fires in this period.");
  }

  @Test
  void a_schedule_is_counted_in_the_minutes_in_which_it_is_due() {
    put("hourly", "{\"cron\": \"5 * * * *\"}");

    Answer answer = forecast("from=2026-01-01T01:00:30Z&to=2026-01-01T04:00:00Z");

    assertThat(answer.at("/firstMinute")).isEqualTo("2026-01-01T01:00:00Z");
    assertThat(answer.json().at("/fires").asLong()).isEqualTo(3);
    assertThat(answer.json().at("/schedules/firing").asLong()).isEqualTo(1);
    assertThat(answer.json().at("/firesPerMinute/5").asLong()).isEqualTo(1);
    assertThat(answer.json().at("/firesPerMinute/6").asLong()).isZero();
    assertThat(answer.at("/worst/0/minute")).isEqualTo("2026-01-01T01:05:00Z");
    assertThat(texts(answer.json().at("/worst/0/keys"))).containsExactly(prefix + "hourly");
    assertThat(answer.at("/spreading/text"))
        .isEqualTo("No minute has more than one fire: there is nothing to spread.");
  }

  @Test
  void the_worst_minute_names_ten_of_its_schedules_and_says_what_would_help() {
    for (int i = 0; i < 30; i++) {
      put("r%02d".formatted(i), "{\"cron\": \"0 2 * * *\"}");
    }
    put("beat", "{\"every\": \"PT20S\"}");

    Answer answer = forecast("");

    assertThat(answer.at("/worst/0/minute")).isEqualTo("2026-01-01T02:00:00Z");
    assertThat(answer.json().at("/worst/0/fires").asLong()).isEqualTo(33);
    assertThat(answer.json().at("/worst/0/schedules").asLong()).isEqualTo(31);
    assertThat(texts(answer.json().at("/worst/0/keys")))
        .hasSize(10)
        .startsWith(prefix + "beat", prefix + "r00")
        .endsWith(prefix + "r08");
    assertThat(answer.json().at("/worst")).hasSize(10);
    assertThat(answer.json().at("/spreading/fixedMinute").asLong()).isEqualTo(30);
    assertThat(answer.json().at("/spreading/peakWithHash").asLong()).isBetween(4L, 9L);
    assertThat(answer.json().at("/spreading/peakWithJitter").asLong()).isBetween(5L, 12L);
    assertThat(answer.at("/spreading/jitter")).isEqualTo("PT10M");
    assertThat(answer.at("/spreading/text"))
        .startsWith(
            "The worst minute has 33 fires. With H instead of the fixed minute in the cron"
                + " expression of 30 schedules, the worst minute would have about ")
        .contains(" With a jitter of PT10M for 30 schedules, it would have about ");
  }

  @Test
  void a_pause_is_respected_and_what_is_not_known_is_said() {
    put("until", "{\"cron\": \"0 * * * *\"}");
    put("stopped", "{\"cron\": \"0 * * * *\"}");
    put("after", "{\"every\": \"PT1M\", \"after\": \"finish\"}");
    site.post(
        "/schedules/" + prefix + "until/pause",
        "{\"reason\": \"x\", \"until\": \"2026-01-01T22:30:00Z\"}");
    site.post("/schedules/" + prefix + "stopped/pause", "{\"reason\": \"x\"}");

    Answer answer = forecast("");

    assertThat(answer.json().at("/fires").asLong()).isEqualTo(2);
    assertThat(answer.json().at("/schedules/pausedWithoutEnd").asLong()).isEqualTo(1);
    assertThat(answer.json().at("/schedules/onlyNextKnown").asLong()).isEqualTo(1);
  }

  @Test
  void what_a_scope_does_not_reach_is_not_counted() {
    put("mine", "{\"cron\": \"0 * * * *\"}");
    site.put(
        "/schedules/other" + prefix + "theirs",
        "{\"target\": \"noop\", \"timing\": {\"cron\": \"0 * * * *\"}}");

    Answer answer = forecast("to=2026-01-01T02:30:00Z");

    assertThat(answer.json().at("/fires").asLong()).isEqualTo(2);
    assertThat(answer.text()).doesNotContain("theirs");
    assertThat(site.get("/forecast").json().at("/fires").asLong()).isGreaterThan(24);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          from=yesterday                                           | from | is no instant
          from=                                                    | from | must not be empty
          from=2025-12-31T23:00:00Z                                | from | a forecast is of fires to come
          from=2026-01-01T02:00:00Z&to=2026-01-01T02:00:00Z        | to   | must be after 'from'
          to=2025-12-31T00:00:00Z                                  | to   | must be after 'from'
          to=2026-01-08T00:00:01Z                                  | to   | at most 7 days
          from=9999-12-31T23:59:59Z                                | to   | must be after 'from'
          """)
  void a_wrong_period_is_refused_with_the_parameter_to_blame(
      String query, String name, String message) {
    Answer answer = forecast(query);

    assertThat(answer.status()).as(answer.text()).isEqualTo(400);
    assertThat(answer.at("/errors/0/parameter")).isEqualTo(name);
    assertThat(answer.at("/errors/0/message")).as(answer.text()).contains(message);
  }

  @Test
  void seven_days_are_not_too_long() {
    put("daily", "{\"cron\": \"0 2 * * *\"}");

    Answer answer = forecast("to=2026-01-08T00:00:00Z");

    assertThat(answer.json().at("/fires").asLong()).isEqualTo(7);
    assertThat(answer.json().at("/firesPerMinute")).hasSize(7 * 1_440);
  }
}
