package dev.carillon.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.carillon.fixture.EmbeddedPostgres;
import dev.carillon.server.web.Request;
import dev.carillon.server.web.Role;
import java.time.Duration;
import java.util.List;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Deadlines over REST: of schedules and of runs without one. */
@ExtendWith(EmbeddedPostgres.class)
class DeadlineApiTest {
  private final Site site;
  private final String key = "late-" + Long.toHexString(System.nanoTime());

  DeadlineApiTest(DataSource source) {
    site = new Site(source);
    site.put("/targets/press-" + key, "{\"type\": \"worker\"}");
    site.put("/targets/page-" + key, "{\"type\": \"worker\"}");
  }

  @AfterEach
  void close() {
    site.close();
  }

  private Answer schedule(String deadline) {
    return site.put(
        "/schedules/" + key,
        """
        {"target": "press-%s", "timing": {"cron": "0 2 * * *", "zone": "Europe/Rome"}, "deadline": %s}
        """
            .formatted(key, deadline));
  }

  private Answer run(String deadline) {
    return site.post(
        "/runs", "{\"target\": \"press-%s\", \"deadline\": %s}".formatted(key, deadline));
  }

  @Test
  void a_run_that_is_late_makes_a_run_that_can_be_found_by_its_id() {
    Answer late = run("{\"after\": \"PT1H\", \"escalateTo\": \"page-%s\"}".formatted(key));
    site.carillon.pass(Duration.ofHours(1));
    Answer found = site.get("/runs?correlation=" + late.at("/id") + "&include=payload");

    assertThat(late.status()).isEqualTo(202);
    assertThat(found.json().get("items")).hasSize(1);
    assertThat(found.at("/items/0/target")).isEqualTo("page-" + key);
    assertThat(found.at("/items/0/payload/state")).isEqualTo("pending");
    assertThat(site.send(site.as(Role.VIEWER, Request.of("GET", "/metrics"))).text())
        .contains("carillon_deadlines_missed_total{target=\"press-" + key + "\"} 1.0");
  }

  @Test
  void a_schedule_shows_its_deadline_and_loses_it_by_a_patch_with_null() {
    Answer made = schedule("{\"after\": \"P1D\", \"escalateTo\": \"page-%s\"}".formatted(key));
    Answer timed =
        site.patch("/schedules/" + key, "{\"deadline\": {\"after\": null, \"at\": \"06:00\"}}");
    Answer without = site.patch("/schedules/" + key, "{\"deadline\": null}");

    assertThat(made.status()).isEqualTo(201);
    assertThat(made.json().get("deadline").toString())
        .isEqualTo(
            "{\"after\":\"P1D\",\"at\":null,\"calendar\":null,\"escalateTo\":\"page-%s\"}"
                .formatted(key));
    assertThat(timed.at("/deadline/at")).isEqualTo("06:00");
    assertThat(without.status()).isEqualTo(200);
    assertThat(without.json().get("deadline").isNull()).isTrue();
  }

  @Test
  void what_is_wrong_with_a_deadline_is_said_where_it_is() {
    Answer unknown = schedule("{\"after\": \"PT1H\", \"escalateTo\": \"nobody-here\"}");
    assertThat(unknown.status()).isEqualTo(422);
    assertThat(unknown.at("/errors/0/pointer")).isEqualTo("/deadline/escalateTo");
    assertThat(unknown.at("/errors/0/message")).contains("unknown target 'nobody-here'");

    Answer nobody = schedule("{\"after\": \"PT1H\"}");
    assertThat(nobody.at("/errors/0/pointer")).isEqualTo("/deadline/escalateTo");
    assertThat(nobody.at("/errors/0/message"))
        .isEqualTo("say which target runs when the time is over");

    Answer never = schedule("{\"escalateTo\": \"noop\"}");
    assertThat(never.at("/errors/0/pointer")).isEqualTo("/deadline");

    Answer day = schedule("{\"at\": \"25:00\", \"escalateTo\": \"noop\"}");
    assertThat(day.at("/errors/0/pointer")).isEqualTo("/deadline/at");
    assertThat(day.json().get("errors")).hasSize(1);

    for (Answer none :
        List.of(
            schedule("{\"after\": \"PT0S\", \"escalateTo\": \"noop\"}"),
            run("{\"after\": \"PT0S\", \"escalateTo\": \"noop\"}"))) {
      assertThat(none.status()).isEqualTo(422);
      assertThat(none.at("/errors/0/pointer")).isEqualTo("/deadline/after");
      assertThat(none.at("/errors/0/message"))
          .isEqualTo("a deadline is from 1s to 365d after a run is due; was PT0S");
    }

    Answer worked = schedule("{\"at\": \"06:00\", \"calendar\": \"it\", \"escalateTo\": \"noop\"}");
    assertThat(worked.at("/errors/0/pointer")).isEqualTo("/deadline/calendar");

    Answer noInstant = run("{\"at\": \"06:00\", \"escalateTo\": \"noop\"}");
    assertThat(noInstant.at("/errors/0/pointer")).isEqualTo("/deadline/at");
    assertThat(noInstant.json().get("errors")).hasSize(1);

    Answer calendar =
        schedule("{\"after\": \"PT8H\", \"calendar\": \"it\", \"escalateTo\": \"noop\"}");
    assertThat(calendar.status()).isEqualTo(422);
    assertThat(calendar.at("/errors/0/pointer")).isEqualTo("/deadline/calendar");

    Answer past = run("{\"at\": \"2020-01-01T00:00:00Z\", \"escalateTo\": \"noop\"}");
    assertThat(past.status()).isEqualTo(422);
    assertThat(past.at("/errors/0/pointer")).isEqualTo("/deadline/at");

    Answer both =
        run("{\"at\": \"2030-01-01T00:00:00Z\", \"after\": \"PT1H\", \"escalateTo\": \"noop\"}");
    assertThat(both.at("/errors/0/pointer")).isEqualTo("/deadline");

    Answer elsewhere = run("{\"after\": \"PT1H\", \"escalateTo\": \"nobody-here\"}");
    assertThat(elsewhere.at("/errors/0/pointer")).isEqualTo("/deadline/escalateTo");
  }

  @Test
  void a_target_that_something_escalates_to_is_in_use() {
    String deadline = "{\"after\": \"PT1H\", \"escalateTo\": \"page-%s\"}".formatted(key);
    run(deadline);
    Answer byRun = site.delete("/targets/page-" + key);
    site.carillon.pass(Duration.ofHours(1));
    schedule(deadline);
    Answer bySchedule = site.delete("/targets/page-" + key);

    assertThat(byRun.status()).isEqualTo(409);
    assertThat(bySchedule.status()).isEqualTo(409);
    assertThat(bySchedule.at("/detail")).contains("1 schedule");
  }

  @Test
  void a_deadline_after_the_year_9999_is_refused() {
    Answer late =
        site.post(
            "/runs",
            """
            {"target": "noop", "at": "9999-12-31T23:59:58Z",
             "deadline": {"after": "P365D", "escalateTo": "noop"}}
            """);

    assertThat(late.status()).as(late.text()).isEqualTo(422);
    assertThat(late.at("/errors/0/pointer")).isEqualTo("/deadline/after");
    assertThat(late.at("/errors/0/message"))
        .startsWith("a deadline must be from 1970 to 9999; was +10000-12-30T23:59:58Z");
  }
}
