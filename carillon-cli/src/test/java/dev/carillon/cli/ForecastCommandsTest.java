package dev.carillon.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.carillon.fixture.EmbeddedPostgres;
import dev.carillon.fixture.PostgresServer;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** Looking ahead on a real server. */
@ExtendWith(EmbeddedPostgres.class)
@Timeout(180)
class ForecastCommandsTest {
  private final RealServer server;
  private final Instant day = Instant.now().truncatedTo(ChronoUnit.DAYS).plus(Duration.ofDays(2));

  ForecastCommandsTest(PostgresServer postgres, @TempDir Path folder) {
    server = new RealServer(postgres, postgres.createMigrated(), folder, Map.of());
  }

  @AfterEach
  void stop() {
    server.close();
  }

  @Test
  void a_fresh_server_has_nothing_to_tell() {
    assertThat(server.ok("forecast"))
        .startsWith("0 fires of 0 schedules from ")
        .endsWith("\nNothing fires in this period.\n");
    assertThat(server.ok("simulate")).startsWith("0 runs of 0 schedules from ");
  }

  @Test
  void the_worst_minutes_are_told_with_who_is_in_them() throws Exception {
    for (int i = 0; i < 12; i++) {
      server.ok("schedule create r%02d --target noop --cron 0␣2␣*␣*␣*".formatted(i));
    }
    server.ok("schedule create other --target noop --cron 30␣*␣*␣*␣*");
    String period = "forecast --from %s --to %s".formatted(day, day.plus(Duration.ofHours(4)));

    String told = server.ok(period);
    JsonNode json = server.json(period);

    assertThat(told)
        .startsWith("16 fires of 13 schedules from %s to ".formatted(day))
        .contains(
            day.plus(Duration.ofHours(2))
                + "     12         12  r00, r01, r02, r03, r04, r05, r06, r07, r08, r09 and 2 more")
        .contains("The worst minute has 12 fires. With H instead of the fixed minute ");
    assertThat(json.at("/fires").asLong()).isEqualTo(16);
    assertThat(json.at("/firesPerMinute")).hasSize(240);
    assertThat(json.at("/firesPerMinute/120").asLong()).isEqualTo(12);
    assertThat(server.ok(period + " -o yaml")).startsWith("from: ");
  }

  @Test
  void a_period_that_is_wrong_is_refused_and_says_how() {
    Answer past = server.run("forecast --from 2020-01-01");
    assertThat(past.code()).isEqualTo(2);
    assertThat(past.err()).contains("from").contains("has passed; leave it out to begin now");

    Answer longest = server.run("forecast --to now+8d");
    assertThat(longest.code()).isEqualTo(2);
    assertThat(longest.err()).contains("a forecast covers at most 7 days");

    assertThat(server.run("forecast --from soon").err()).contains("is neither a date nor a time");
  }

  @Test
  void the_schedules_of_the_server_are_simulated_with_their_pauses() throws Exception {
    server.ok("schedule create hourly --target noop --cron 0␣*␣*␣*␣*");
    server.ok("schedule create resting --target noop --cron 0␣*␣*␣*␣*");
    server.ok("schedule pause resting --reason why --until " + day.plus(Duration.ofMinutes(90)));

    JsonNode json =
        server.json("simulate --from %s --to %s".formatted(day, day.plus(Duration.ofHours(3))));

    assertThat(json.at("/schedules/0/key").asText()).isEqualTo("hourly");
    assertThat(json.at("/schedules/0/runs")).hasSize(3);
    assertThat(json.at("/schedules/1/runs")).hasSize(1);
    assertThat(json.at("/schedules/1/dropped/0/reason").asText()).isEqualTo("paused");
    assertThat(json.at("/schedules/1/dropped/0/slots").asLong()).isEqualTo(2);
    assertThat(server.json("run list --planned")).as("nothing has run").isEmpty();
  }
}
