package dev.carillon.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.carillon.fixture.EmbeddedPostgres;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Years, months, weeks and days in timings. */
@ExtendWith(EmbeddedPostgres.class)
class PeriodApiTest {
  private final Site site;
  private final String key = "key-" + Long.toHexString(System.nanoTime());

  PeriodApiTest(DataSource source) {
    site = new Site(source);
  }

  @AfterEach
  void close() {
    site.close();
  }

  private Answer put(String timing) {
    return site.put(
        "/schedules/" + key, "{\"target\": \"noop\", \"timing\": %s}".formatted(timing));
  }

  private static List<String> next(Answer answer) {
    var slots = new ArrayList<String>();
    answer.json().at("/next").forEach(slot -> slots.add(slot.asText()));
    return slots;
  }

  @Test
  void a_delay_is_counted_by_the_calendar_of_its_zone() {
    assertThat(put("{\"in\": \"P1M\"}").at("/timing/at")).isEqualTo("2026-02-01T00:00:00Z");
    assertThat(put("{\"in\": \"P1W\"}").at("/timing/at")).isEqualTo("2026-01-08T00:00:00Z");
    assertThat(put("{\"in\": \"P1Y2M3D\"}").at("/timing/at")).isEqualTo("2027-03-04T00:00:00Z");
    assertThat(put("{\"in\": \"P1DT2H\"}").at("/timing/at")).isEqualTo("2026-01-02T02:00:00Z");
    assertThat(put("{\"in\": \"P6M\", \"zone\": \"Europe/Rome\"}").at("/timing/at"))
        .isEqualTo("2026-06-30T23:00:00Z");
    assertThat(put("{\"in\": \"P9999Y\"}").at("/errors/0/message")).contains("1970 to 9999");
    assertThat(put("{\"in\": \"P-1M\"}").at("/errors/0/pointer")).isEqualTo("/timing/in");
  }

  @Test
  void work_without_a_schedule_may_wait_for_months() {
    String body = "{\"target\": \"noop\", \"in\": \"P1M\", \"zone\": \"Asia/Tokyo\"}";

    assertThat(site.post("/runs", body).at("/dueAt")).isEqualTo("2026-02-01T00:00:00Z");
    assertThat(
            site.post(
                    "/workflow-instances/%s/timeouts".formatted(key),
                    "{\"timeout\": \"P1W\", \"handlerStep\": \"s\", \"target\": \"noop\"}")
                .at("/dueAt"))
        .isEqualTo("2026-01-08T00:00:00Z");
  }

  @Test
  void months_are_counted_from_the_anchor_in_the_zone_and_the_runs_come_then() {
    String timing =
        """
        {"every": "P1M", "anchor": "2025-12-31T08:00:00Z", "zone": "Europe/Rome"}
        """;
    Answer made = put(timing);

    assertThat(made.status()).isEqualTo(201);
    assertThat(next(made))
        .containsExactly(
            "2026-01-31T08:00:00Z",
            "2026-02-28T08:00:00Z",
            "2026-03-31T07:00:00Z",
            "2026-04-30T07:00:00Z",
            "2026-05-31T07:00:00Z");
    assertThat(made.at("/timing/every")).isEqualTo("P1M");
    assertThat(made.at("/timing/zone")).isEqualTo("Europe/Rome");
    assertThat(made.at("/timing/anchor")).isEqualTo("2025-12-31T08:00:00Z");
    assertThat(put(timing).at("/version")).as("unchanged").isEqualTo("1");
    Answer patched = site.patch("/schedules/" + key, "{\"description\": \"monthly\"}");
    assertThat(patched.at("/version")).isEqualTo("2");
    assertThat(next(patched)).isEqualTo(next(made));

    site.carillon.pass(Duration.ofDays(60));
    assertThat(site.get("/runs?schedule=" + key).json().at("/items").findValuesAsText("slot"))
        .containsExactly("2026-02-28T08:00:00Z", "2026-01-31T08:00:00Z");
  }

  @Test
  void days_and_weeks_are_fixed_unless_a_zone_counts_them() {
    Answer fixed = put("{\"every\": \"P1W\"}");
    assertThat(fixed.at("/timing/every")).isEqualTo("P7D");
    assertThat(fixed.json().at("/timing").has("zone")).isFalse();

    Answer daily =
        put(
            "{\"every\": \"P1D\", \"anchor\": \"2026-01-01T08:00:00Z\", \"zone\": \"Europe/Rome\"}");
    site.clock.advance(Duration.ofDays(87));
    assertThat(next(site.get("/schedules/" + key)))
        .startsWith("2026-03-29T07:00:00Z", "2026-03-30T07:00:00Z");
    assertThat(next(daily)).startsWith("2026-01-01T08:00:00Z");
    assertThat(put("{\"every\": \"P1M\"}").at("/timing/anchor")).isEqualTo("1970-01-01T00:00:00Z");
  }

  @Test
  void what_makes_no_sense_is_refused_with_its_field() {
    assertThat(put("{\"every\": \"P1MT1H\"}").at("/errors/0/message")).contains("has no hours");
    assertThat(put("{\"every\": \"PT1H\", \"zone\": \"Europe/Rome\"}").at("/errors/0/message"))
        .contains("leave out the zone");
    assertThat(put("{\"every\": \"P1M\", \"after\": \"finish\"}").at("/errors/0/pointer"))
        .isEqualTo("/timing/after");
    assertThat(put("{\"every\": \"P0M\"}").status()).isEqualTo(422);
    assertThat(put("{\"every\": \"soon\"}").at("/errors/0/message")).contains("P1W", "P1M");
  }

  @Test
  void a_period_is_explained() {
    Answer told =
        site.post(
            "/timings/explain",
            "{\"timing\": {\"every\": \"P1M\", \"zone\": \"Europe/Rome\"}, \"count\": 1}");

    assertThat(told.at("/description")).isEqualTo("Every month from 1970-01-01T00:00, Europe/Rome");
    assertThat(told.at("/fires/0/slot")).isEqualTo("2026-01-31T23:00:00Z");
    assertThat(told.at("/fires/0/local")).isEqualTo("2026-02-01T00:00:00");
    assertThat(
            site.post(
                    "/timings/explain", "{\"timing\": {\"in\": \"P1M\"}, \"zone\": \"Asia/Tokyo\"}")
                .at("/fires/0/slot"))
        .isEqualTo("2026-02-01T00:00:00Z");
  }
}
