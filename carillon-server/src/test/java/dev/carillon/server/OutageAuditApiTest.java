package dev.carillon.server;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.carillon.fixture.EmbeddedPostgres;
import java.time.Duration;
import java.util.stream.StreamSupport;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** What the audit records of outages that began when runs had been planned for them. */
@ExtendWith(EmbeddedPostgres.class)
class OutageAuditApiTest {
  private final Site site;

  OutageAuditApiTest(DataSource source) {
    site = new Site(source);
  }

  @AfterEach
  void close() {
    site.close();
  }

  /** Have runs planned for a schedule, then let time pass in which no node runs. */
  private JsonNode caughtUp(String key, String every, Duration outage) {
    site.put(
        "/schedules/" + key,
        """
        {"target": "noop", "timing": {"every": "%s"},
         "catchUp": {"mode": "run_once", "grace": "PT1S", "maxAge": null}}
        """
            .formatted(every));
    site.carillon.runDue();
    assertThat(site.get("/runs?state=pending&schedule=" + key).json().get("items")).isNotEmpty();
    site.clock.advance(outage);
    site.carillon.runDue();
    site.delete("/schedules/" + key);
    JsonNode lines = site.get("/audit?schedule=" + key).json().get("items");
    return StreamSupport.stream(lines.spliterator(), false)
        .filter(line -> line.get("action").asText().equals("schedule.caught_up"))
        .map(line -> line.get("details"))
        .reduce((one, other) -> other.path("not once"))
        .orElseThrow();
  }

  @Test
  void run_once_counts_the_slots_too_whose_runs_were_planned_before_the_outage() {
    JsonNode allPlanned = caughtUp("short", "PT5S", Duration.ofSeconds(27));
    site.carillon.pass(Duration.ofSeconds(33));
    JsonNode somePlanned = caughtUp("long", "PT15S", Duration.ofMinutes(10).plusSeconds(5));

    assertThat(allPlanned.path("slots").asInt()).isEqualTo(5);
    assertThat(allPlanned.path("runs").asInt()).isEqualTo(1);
    assertThat(allPlanned.path("first").asText()).isEqualTo("2026-01-01T00:00:05Z");
    assertThat(somePlanned.path("slots").asInt()).isEqualTo(40);
    assertThat(somePlanned.path("runs").asInt()).isEqualTo(1);
    assertThat(somePlanned.path("first").asText()).isEqualTo("2026-01-01T00:01:15Z");
    assertThat(somePlanned.path("last").asText()).isEqualTo("2026-01-01T00:11:00Z");
  }
}
