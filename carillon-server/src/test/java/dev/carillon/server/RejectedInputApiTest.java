package dev.carillon.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.carillon.fixture.EmbeddedPostgres;
import java.time.Duration;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Input that the scheduler itself refuses, and edits that others have overtaken. */
@ExtendWith(EmbeddedPostgres.class)
class RejectedInputApiTest {
  private static final String HOURLY =
      "{\"target\": \"noop\", \"timing\": {\"cron\": \"0 * * * *\"}}";
  private static final String NEVER = HOURLY.replace("0 * * * *", "0 0 30 2 *");
  private static final String LONG = "x".repeat(1_001);

  private final Site site;

  RejectedInputApiTest(DataSource source) {
    site = new Site(source);
  }

  @AfterEach
  void close() {
    site.close();
  }

  private static String place(Answer answer) {
    assertThat(answer.status()).as(answer.text()).isEqualTo(422);
    return answer.at("/errors/0/pointer");
  }

  @Test
  void a_timing_that_never_fires_is_reported_where_it_is() {
    site.put("/schedules/fires", HOURLY);
    String rest =
        "\"target\": \"noop\", \"workflow_id\": \"w\", \"version\": 1, \"user_id\": \"u\"";
    String upsert = "{\"cron_expr\": \"0 0 30 2 *\", \"timezone\": \"UTC\", %s}".formatted(rest);
    String past =
        "{\"jobKey\": \"late\", \"target\": \"noop\", \"scheduleType\": \"one_time\", \"runAt\": \"%s\"}"
            .formatted("2020-01-01T00:00:00Z");

    assertThat(place(site.put("/schedules/never", NEVER))).isEqualTo("/timing");
    assertThat(place(site.put("/schedules/never?dryRun=true", NEVER))).isEqualTo("/timing");
    assertThat(place(site.post("/schedules", NEVER))).isEqualTo("/timing");
    assertThat(
            place(
                site.send(
                    site.request(
                        "PATCH", "/schedules/fires", "{\"timing\": {\"cron\": \"0 0 30 2 *\"}}"))))
        .isEqualTo("/timing");
    assertThat(place(site.sendTo("POST", "/schedules/upsert", upsert))).isEqualTo("/cron_expr");
    assertThat(place(site.sendTo("POST", "/api/v2/admin/cron/jobs", past))).isEqualTo("/runAt");
  }

  @Test
  void a_version_that_would_never_fire_again_is_no_way_back() {
    site.put("/schedules/back", "{\"target\": \"noop\", \"timing\": {\"in\": \"PT1H\"}}");
    site.put("/schedules/back", HOURLY);
    site.carillon.pass(Duration.ofHours(2));

    assertThat(place(site.post("/schedules/back/rollback", "{\"version\": 1}")))
        .isEqualTo("/version");
  }

  @Test
  void a_reason_that_is_too_long_is_reported_where_it_is() {
    site.put("/schedules/long", HOURLY);
    String run = site.post("/runs", "{\"target\": \"noop\", \"in\": \"P1D\"}").at("/id");
    String body = "{\"reason\": \"%s\"}".formatted(LONG);
    String pause =
        "{\"schedule_id\": \"long\", \"paused\": true, \"reason\": \"%s\"}".formatted(LONG);

    assertThat(place(site.post("/schedules/long/pause", body))).isEqualTo("/reason");
    assertThat(place(site.post("/runs/" + run + "/cancel", body))).isEqualTo("/reason");
    assertThat(place(site.sendTo("POST", "/schedules/pause", pause))).isEqualTo("/reason");
  }

  @Test
  void a_pause_that_would_be_over_is_reported_where_it_ends() {
    site.put("/schedules/paused", HOURLY);

    assertThat(
            place(
                site.post(
                    "/schedules/paused/pause",
                    "{\"reason\": \"x\", \"until\": \"2020-01-01T00:00:00Z\"}")))
        .isEqualTo("/until");
  }

  @Test
  void a_timeout_is_handled_by_a_step_with_a_name() {
    String body = "{\"timeout\": \"PT1M\", \"handlerStep\": \" \", \"target\": \"noop\"}";

    assertThat(place(site.post("/workflow-instances/i/timeouts", body))).isEqualTo("/handlerStep");
  }

  @Test
  void a_dry_run_is_refused_where_the_edit_would_be() {
    site.put("/schedules/dry", HOURLY);
    var dry = site.request("PUT", "/schedules/dry?dryRun=true", HOURLY);
    var absent = site.request("PUT", "/schedules/absent?dryRun=true", HOURLY);

    assertThat(site.send(dry.header("If-Match", "\"2\"")).status()).isEqualTo(412);
    assertThat(site.send(dry.header("If-None-Match", "*")).status()).isEqualTo(412);
    assertThat(site.send(dry.header("If-Match", "\"1\"")).status()).isEqualTo(200);
    assertThat(site.send(absent.header("If-Match", "*")).status()).isEqualTo(412);
    assertThat(site.send(absent.header("If-None-Match", "*")).status()).isEqualTo(200);

    site.delete("/schedules/dry");
    assertThat(site.send(dry.header("If-Match", "\"1\"")).status()).isEqualTo(412);
    assertThat(site.send(dry).status()).isEqualTo(200);
  }

  @Test
  void a_target_is_defined_only_if_it_is_as_the_request_says() {
    var put = site.request("PUT", "/targets/guarded", "{\"type\": \"worker\"}");

    assertThat(site.send(put.header("If-Match", "*")).status()).isEqualTo(412);
    assertThat(site.send(put.header("If-None-Match", "*")).status()).isEqualTo(201);
    assertThat(site.send(put.header("If-None-Match", "*")).status()).isEqualTo(412);
    assertThat(site.send(put.header("If-Match", "*")).status()).isEqualTo(200);
  }

  @Test
  void a_schedule_may_be_called_like_a_fixed_path() {
    for (String name : new String[] {"bulk", "upsert", "pause"}) {
      assertThat(site.put("/schedules/" + name, HOURLY).status()).as(name).isEqualTo(201);
      assertThat(site.get("/schedules/" + name).at("/key")).isEqualTo(name);
      assertThat(site.sendTo("GET", "/schedules/" + name, "").at("/schedule_id")).isEqualTo(name);
      assertThat(site.delete("/schedules/" + name).status()).as(name).isEqualTo(200);
    }
  }

  @Test
  void local_times_have_seconds() {
    site.put("/schedules/local", HOURLY);

    assertThat(site.get("/schedules/local/fires?limit=1").at("/items/0/local"))
        .matches("\\d{4}-\\d\\d-\\d\\dT\\d\\d:00:00");
  }
}
