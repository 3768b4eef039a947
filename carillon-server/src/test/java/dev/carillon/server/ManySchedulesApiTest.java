package dev.carillon.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.carillon.fixture.EmbeddedPostgres;
import dev.carillon.server.web.Request;
import dev.carillon.server.web.Role;
import java.time.Duration;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(EmbeddedPostgres.class)
class ManySchedulesApiTest {
  private final Site site;
  private final String tag = "tag-" + Long.toHexString(System.nanoTime());

  ManySchedulesApiTest(DataSource source) {
    site = new Site(source);
  }

  @BeforeEach
  void define() {
    for (String name : new String[] {"-a", "-b"}) {
      site.put("/schedules/" + tag + name, hourly());
    }
  }

  private String hourly() {
    return "{\"target\": \"noop\", \"timing\": {\"every\": \"PT1H\"}, \"tags\": [\"%s\"]}"
        .formatted(tag);
  }

  @AfterEach
  void close() {
    site.close();
  }

  private Answer bulk(String action) {
    return site.post(
        "/schedules/bulk",
        """
        {"filter": {"tag": "%s"}, "action": "%s", "reason": "the moon", "all": true}
        """
            .formatted(tag, action));
  }

  @Test
  void many_are_paused_resumed_run_and_deleted_together() {
    assertThat(bulk("pause").at("/schedules")).isEqualTo("2");
    assertThat(site.get("/schedules/" + tag + "-a").at("/pauseReason")).isEqualTo("the moon");
    assertThat(bulk("resume").at("/schedules")).isEqualTo("2");
    assertThat(bulk("run").at("/schedules")).isEqualTo("2");
    assertThat(bulk("delete").at("/schedules")).isEqualTo("2");
    assertThat(bulk("delete").at("/schedules")).isEqualTo("0");
  }

  @Test
  void all_is_never_meant_unless_it_is_said_and_deleting_needs_an_editor() {
    assertThat(
            site.post(
                    "/schedules/bulk",
                    "{\"filter\": {}, \"action\": \"run\", \"reason\": \"x\", \"expect\": 2}")
                .at("/errors/0/pointer"))
        .isEqualTo("/filter");
    assertThat(site.post("/schedules/bulk", "{}").status()).isEqualTo(422);
    Request delete =
        site.as(Role.OPERATOR, Request.of("POST", "/api/v1/schedules/bulk"))
            .body(
                "{\"filter\": {\"tag\": \"x\"}, \"action\": \"delete\", \"reason\": \"x\","
                    + " \"all\": true}");
    assertThat(site.send(delete).status()).isEqualTo(403);
  }

  @Test
  void fires_show_what_happened_and_what_will() {
    site.carillon.pass(Duration.ofHours(2));
    Answer fires =
        site.get(
            "/schedules/%s-a/fires?from=2026-01-01T01:00:00Z&to=2026-01-01T04:00:00Z"
                .formatted(tag));

    assertThat(fires.json().at("/items").findValuesAsText("decision"))
        .containsExactly("succeeded", "succeeded", "will_run", "will_run");
    assertThat(fires.at("/items/0/run")).isNotEqualTo("null");
    assertThat(site.get("/schedules/%s-a/fires?limit=3".formatted(tag)).json().at("/items"))
        .hasSize(3);
    assertThat(site.get("/schedules/none/fires").status()).isEqualTo(404);
    assertThat(
            site.get(
                    "/schedules/%s-a/fires?from=2026-01-02T00:00:00Z&to=2026-01-01T00:00:00Z"
                        .formatted(tag))
                .status())
        .isEqualTo(400);
  }

  @Test
  void a_dry_run_shows_what_would_change_and_changes_nothing() {
    String key = tag + "-a";
    Answer same = site.put("/schedules/" + key + "?dryRun=true", hourly());
    Answer other = site.put("/schedules/" + key + "?dryRun=true", hourly().replace("PT1H", "PT2H"));
    Answer anew = site.put("/schedules/" + tag + "-new?dryRun=true", hourly());
    Answer wrong = site.put("/schedules/" + key + "?dryRun=true", "{}");

    assertThat(same.at("/result")).isEqualTo("unchanged");
    assertThat(other.at("/result")).isEqualTo("new_version");
    assertThat(other.json().at("/changedFields").get(0).asText()).isEqualTo("timing");
    assertThat(other.json().at("/firesLost")).hasSize(100);
    assertThat(other.json().at("/firesGained")).isEmpty();
    assertThat(anew.at("/result")).isEqualTo("created");
    assertThat(wrong.status()).isEqualTo(422);
    assertThat(site.get("/schedules/" + tag + "-new").status()).isEqualTo(404);
    assertThat(site.get("/schedules/" + key).at("/version")).isEqualTo("1");
    assertThat(site.put("/schedules/" + key + "?dryRun=maybe", hourly()).status()).isEqualTo(400);
  }

  @Test
  void runs_are_found_by_text() {
    site.post("/schedules/" + tag + "-a/run", "{\"payload\": {\"x\": 1}, \"overlap\": \"allow\"}");

    assertThat(site.get("/runs?q=" + tag).json().at("/items").findValuesAsText("trigger"))
        .contains("manual");
  }

  @Test
  void a_repeated_request_for_a_run_makes_one() {
    var request =
        site.request(
                "POST", "/runs", "{\"target\": \"noop\", \"overlapKey\": \"%s\"}".formatted(tag))
            .header("Idempotency-Key", tag);

    assertThat(site.send(request).at("/id")).isEqualTo(site.send(request).at("/id"));
  }
}
