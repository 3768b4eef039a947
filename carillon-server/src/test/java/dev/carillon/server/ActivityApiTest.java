package dev.carillon.server;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.carillon.fixture.EmbeddedPostgres;
import java.time.Duration;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** What the console asks: activity, runs by day, the latest runs of listed schedules. */
@ExtendWith(EmbeddedPostgres.class)
class ActivityApiTest {
  private final Site site;
  private final String key = "active-" + Long.toHexString(System.nanoTime());

  ActivityApiTest(DataSource source) {
    site = new Site(source);
  }

  @AfterEach
  void close() {
    site.close();
  }

  private void runTwice() {
    Answer stored =
        site.put(
            "/schedules/" + key,
            "{\"target\": \"noop\", \"timing\": {\"cron\": \"0 2 * * *\", \"zone\": \"Europe/Rome\"}}");
    assertThat(stored.status()).as(stored.text()).isEqualTo(201);
    for (int i = 0; i < 2; i++) {
      site.post("/schedules/" + key + "/run", "{}");
      site.carillon.runDue();
      site.clock.advance(Duration.ofSeconds(1));
    }
  }

  @Test
  void activity_counts_runs_by_the_minute_and_tells_how_late_they_were() {
    runTwice();

    Answer answer = site.get("/activity?minutes=5");

    assertThat(answer.status()).as(answer.text()).isEqualTo(200);
    JsonNode activity = answer.json();
    assertThat(activity.at("/byMinute/0/runs/succeeded").asLong()).isGreaterThanOrEqualTo(2);
    assertThat(activity.at("/lateness/started").asLong()).isGreaterThanOrEqualTo(2);
    assertThat(activity.at("/lateness/worstRun").isTextual()).isTrue();
    assertThat(activity.at("/completeFrom")).isEqualTo(activity.at("/from"));
    assertThat(activity.at("/schedules/active").asLong()).isPositive();
  }

  @Test
  void activity_counts_the_slots_that_became_no_run_by_reason() {
    site.put("/schedules/" + key, "{\"target\": \"noop\", \"timing\": {\"every\": \"PT1H\"}}");
    site.post("/schedules/" + key + "/pause", "{\"reason\": \"audit\"}");
    site.clock.advance(Duration.ofHours(3));
    site.post("/schedules/" + key + "/resume", "");
    site.carillon.runDue();

    assertThat(site.get("/activity").json().at("/dropped/paused").asLong())
        .isGreaterThanOrEqualTo(3);

    site.clock.advance(Duration.ofHours(25));
    assertThat(site.get("/activity").json().at("/dropped/paused").isMissingNode()).isTrue();
  }

  @Test
  void activity_of_too_many_minutes_is_refused() {
    Answer answer = site.get("/activity?minutes=181");

    assertThat(answer.status()).isEqualTo(400);
    assertThat(answer.at("/errors/0/parameter")).isEqualTo("minutes");
  }

  @Test
  void runs_are_counted_by_day_on_the_clock_of_the_schedule() {
    runTwice();

    Answer answer = site.get("/schedules/" + key + "/days");

    assertThat(answer.status()).as(answer.text()).isEqualTo(200);
    assertThat(answer.at("/zone")).isEqualTo("Europe/Rome");
    assertThat(answer.at("/items/0/day")).isEqualTo("2026-01-01");
    assertThat(answer.json().at("/items/0/runs/succeeded").asLong()).isEqualTo(2);
    assertThat(site.get("/schedules/no-such/days").status()).isEqualTo(404);
  }

  @Test
  void a_list_has_the_latest_runs_if_they_are_asked_for() {
    runTwice();

    assertThat(site.get("/schedules?q=" + key).json().at("/items/0/recent").isMissingNode())
        .isTrue();
    Answer listed = site.get("/schedules?recent=true&q=" + key);
    assertThat(listed.json().at("/items/0/recent")).hasSize(2);
    assertThat(listed.at("/items/0/timingText")).isEqualTo("At 02:00 every day, Europe/Rome");
  }
}
