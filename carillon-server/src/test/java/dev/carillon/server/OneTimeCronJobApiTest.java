package dev.carillon.server;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.carillon.fixture.EmbeddedPostgres;
import java.time.Duration;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** One-time jobs of the cron jobs platform, over weeks in which nothing else runs. */
@ExtendWith(EmbeddedPostgres.class)
class OneTimeCronJobApiTest {
  private static final String CRON = "/api/v2/admin/cron";
  private static final String ONE_TIME = SourceText.of("cron-job-one-time.json");

  private final Site site;

  OneTimeCronJobApiTest(DataSource source) {
    site = new Site(source);
    site.put("/targets/search_for_knockout_rounds", "{\"type\": \"noop\"}");
  }

  @AfterEach
  void close() {
    site.close();
  }

  private Answer send(String method, String path, String body) {
    return site.sendTo(method, CRON + path, body);
  }

  @Test
  void the_one_time_job_runs_once_and_is_retired() {
    Answer made = send("POST", "/jobs", ONE_TIME);
    site.carillon.pass(Duration.ofDays(60));
    Answer job = send("GET", "/jobs/" + made.at("/id"), "");
    JsonNode runs = send("GET", "/runs?jobKey=single-run-sample", "").json().get("items");

    assertThat(made.status()).isEqualTo(201);
    assertThat(made.at("/nextRunAt")).isEqualTo("2026-02-21T15:00:00Z");
    assertThat(runs.findValuesAsText("scheduledAt")).containsExactly("2026-02-21T15:00:00Z");
    assertThat(runs.findValuesAsText("status")).containsExactly("succeeded");
    assertThat(job.at("/status")).isEqualTo("retired");
    assertThat(job.at("/scheduleType")).isEqualTo("one_time");
    assertThat(job.at("/runAt")).isEqualTo("2026-02-21T15:00:00Z");
    assertThat(send("POST", "/jobs/" + made.at("/id") + "/run-now", "").status()).isEqualTo(409);
    assertThat(send("PATCH", "/jobs/" + made.at("/id") + "/resume", "").status()).isEqualTo(409);
  }

  @Test
  void the_zone_of_a_one_time_job_is_kept() {
    Answer made =
        send(
            "POST",
            "/jobs",
            ONE_TIME.replace("single-run-sample", "zoned").replace("UTC", "America/New_York"));
    Answer next =
        send(
            "POST",
            "/jobs/" + made.at("/id") + "/new-version",
            "{\"runAt\": \"2026-05-01T00:00:00Z\"}");
    Answer schedule = site.get("/schedules/zoned");

    assertThat(made.at("/timezone")).isEqualTo("America/New_York");
    assertThat(made.at("/runAt")).isEqualTo("2026-02-21T15:00:00Z");
    assertThat(next.at("/timezone")).isEqualTo("America/New_York");
    assertThat(next.at("/runAt")).isEqualTo("2026-05-01T00:00:00Z");
    assertThat(schedule.at("/timing/at")).isEqualTo("2026-05-01T00:00:00Z");
    assertThat(schedule.at("/timing/zone")).isEqualTo("America/New_York");
  }

  @Test
  void an_instant_may_carry_a_zone_which_must_exist() {
    String body =
        "{\"target\": \"noop\", \"timing\": {\"at\": \"2026-06-01T00:00:00Z\", \"zone\": \"%s\"}}";
    Answer stored = site.put("/schedules/at-zone", body.formatted("Europe/Rome"));
    Answer again = site.put("/schedules/at-zone", body.formatted("Europe/Rome"));
    Answer refused = site.put("/schedules/at-zone", body.formatted("Mars/Olympus"));

    assertThat(stored.at("/timing/zone")).isEqualTo("Europe/Rome");
    assertThat(again.at("/version")).isEqualTo("1");
    assertThat(refused.status()).isEqualTo(422);
    assertThat(refused.at("/errors/0/pointer")).isEqualTo("/timing/zone");
  }

  @Test
  void a_retired_key_gets_a_new_version() {
    Answer made = send("POST", "/jobs", ONE_TIME.replace("single-run-sample", "again"));
    site.carillon.pass(Duration.ofDays(60));
    Answer next =
        send(
            "POST",
            "/jobs/" + made.at("/id") + "/new-version",
            "{\"runAt\": \"2026-05-01T00:00:00Z\"}");

    String later = ONE_TIME.replace("single-run-sample", "again").replace("2026-02", "2026-06");
    assertThat(send("POST", "/jobs", later).status()).isEqualTo(409);
    assertThat(next.status()).isEqualTo(201);
    assertThat(next.at("/status")).isEqualTo("active");
    assertThat(next.at("/nextRunAt")).isEqualTo("2026-05-01T00:00:00Z");
  }
}
