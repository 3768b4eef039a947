package dev.carillon.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.carillon.Version;
import dev.carillon.fixture.EmbeddedPostgres;
import dev.carillon.time.Zones;
import java.time.Duration;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(EmbeddedPostgres.class)
class StatusApiTest {
  private final Site site;

  StatusApiTest(DataSource source) {
    site = new Site(source);
  }

  @AfterEach
  void close() {
    site.close();
  }

  @Test
  void what_there_is_is_counted_within_five_seconds() {
    site.put("/schedules/one", "{\"target\": \"noop\", \"timing\": {\"every\": \"PT1H\"}}");
    site.put("/schedules/two", "{\"target\": \"noop\", \"timing\": {\"every\": \"PT1H\"}}");
    site.post("/schedules/two/pause", "{\"reason\": \"counted apart\"}");

    Answer first = site.get("/status");
    assertThat(first.json().path("schedules").toString())
        .isEqualTo("{\"active\":1,\"paused\":1,\"completed\":0,\"retired\":0}");
    assertThat(first.json().at("/numbers/nodes").asInt()).isEqualTo(1);
    assertThat(first.json().path("deadLetters").asInt()).isZero();
    assertThat(first.at("/status")).isEqualTo("healthy");
    assertThat(first.at("/version")).isEqualTo(Version.current());
    assertThat(first.at("/timeZones")).isEqualTo(Zones.version());

    site.delete("/schedules/one");
    site.clock.advance(Duration.ofSeconds(5));
    assertThat(site.get("/status").json().path("schedules").toString())
        .isEqualTo("{\"active\":0,\"paused\":1,\"completed\":0,\"retired\":1}");
  }
}
