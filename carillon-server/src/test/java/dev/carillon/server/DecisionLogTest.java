package dev.carillon.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.carillon.fixture.EmbeddedPostgres;
import java.time.Duration;
import java.util.List;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** What the log says of decisions: the same words as the interface, each with its reason. */
@ExtendWith(EmbeddedPostgres.class)
class DecisionLogTest {
  private final Site site;

  DecisionLogTest(DataSource source) {
    site = new Site(source);
  }

  @AfterEach
  void close() {
    site.close();
  }

  private void everyMinute(String key, String target) {
    site.put(
        "/schedules/" + key,
        "{\"target\": \"%s\", \"timing\": {\"every\": \"PT1M\"}}".formatted(target));
  }

  private static String logged(String message, Runnable what) {
    try (var log = new LogCapture()) {
      what.run();
      return String.join("\n", log.text().lines().filter(line -> line.contains(message)).toList());
    }
  }

  @Test
  void a_failed_run_is_logged_with_its_code() {
    everyMinute("failing", "fail");

    assertThat(logged("run failed", () -> site.carillon.pass(Duration.ofMinutes(1))))
        .contains("\"schedule\":\"failing\"", "\"state\":\"failed\"", "\"code\":\"")
        .doesNotContain("\"code\":\"-\"");
  }

  @Test
  void a_skipped_run_is_logged_with_the_one_in_its_way() {
    site.put("/targets/elsewhere", "{\"type\": \"worker\"}");
    everyMinute("skipping", "elsewhere");
    String first = site.post("/schedules/skipping/run", "").at("/id");
    fetch();
    site.post("/schedules/skipping/run", "");

    assertThat(logged("run is over", this::fetch))
        .contains("\"state\":\"skipped\"", "\"reason\":\"run %s is unfinished\"".formatted(first));
  }

  private void fetch() {
    site.carillon.runDue();
    site.carillon
        .carillon()
        .pullWorkers()
        .claim("ada", List.of("elsewhere"), 10, Duration.ofMinutes(1));
  }

  @Test
  void missed_slots_are_logged_as_one_stretch() {
    everyMinute("missing", "noop");
    site.clock.advance(Duration.ofHours(1));

    assertThat(logged("slots do not run", () -> site.carillon.pass(Duration.ofMinutes(1))))
        .contains("\"schedule\":\"missing\"", "\"reason\":\"missed\"", "\"slots\":");
  }

  @Test
  void a_pause_is_logged_with_who_and_why() {
    everyMinute("pausing", "noop");

    assertThat(
            logged(
                "schedule changed",
                () -> site.post("/schedules/pausing/pause", "{\"reason\": \"the moon\"}")))
        .contains(
            "\"action\":\"schedule.paused\"", "\"actor\":\"admin\"", "\"reason\":\"the moon\"");
  }
}
