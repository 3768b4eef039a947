package dev.carillon.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.carillon.RunDraft;
import dev.carillon.Version;
import dev.carillon.event.EngineLoop;
import dev.carillon.fixture.EmbeddedPostgres;
import dev.carillon.server.web.Request;
import dev.carillon.server.web.Role;
import dev.carillon.testing.ManualCarillon;
import java.time.Duration;
import java.util.List;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** What each figure is after things happened whose number is known. */
@ExtendWith(EmbeddedPostgres.class)
class MetricsValuesTest {
  private final DataSource source;
  private final Site site;
  private final String key = "measured-" + Long.toHexString(System.nanoTime());

  MetricsValuesTest(DataSource source) {
    this.source = source;
    site = new Site(source);
  }

  @AfterEach
  void close() {
    for (String end : List.of("", "-a", "-b", "-c")) {
      site.delete("/schedules/" + key + end);
    }
    site.delete("/runs?correlation=" + key);
    site.close();
  }

  private String metrics() {
    site.clock.advance(Duration.ofSeconds(5)); // gauges are asked for every five seconds
    return site.send(site.as(Role.VIEWER, Request.of("GET", "/metrics"))).text();
  }

  private double value(String name) {
    return metrics()
        .lines()
        .filter(line -> line.startsWith(name + " "))
        .mapToDouble(line -> Double.parseDouble(line.substring(name.length() + 1)))
        .findFirst()
        .orElse(0);
  }

  private void put(String end, String definition) {
    assertThat(site.put("/schedules/" + key + end, definition).status()).isEqualTo(201);
  }

  @Test
  void schedules_are_counted_by_state() {
    double active = value("carillon_schedules{state=\"active\"}");
    double paused = value("carillon_schedules{state=\"paused\"}");
    put("-a", "{\"target\": \"noop\", \"timing\": {\"every\": \"PT1H\"}}");
    put("-b", "{\"target\": \"noop\", \"timing\": {\"every\": \"PT1H\"}}");
    site.post("/schedules/" + key + "-b/pause", "{\"reason\": \"test\"}");

    assertThat(value("carillon_schedules{state=\"active\"}")).isEqualTo(active + 1);
    assertThat(value("carillon_schedules{state=\"paused\"}")).isEqualTo(paused + 1);
  }

  @Test
  void schedules_that_are_due_are_counted_until_they_are_planned() {
    put("", "{\"target\": \"noop\", \"timing\": {\"every\": \"PT1M\"}}");
    site.clock.advance(Duration.ofMinutes(2));

    assertThat(value("carillon_schedules_due")).isEqualTo(1);
    site.carillon.runDue();
    assertThat(value("carillon_schedules_due")).isZero();
  }

  @Test
  void runs_are_counted_as_they_are_planned_begun_and_over() {
    put("", "{\"target\": \"noop\", \"timing\": {\"every\": \"PT1M\"}, \"maxRuns\": 3}");
    site.carillon.pass(Duration.ofMinutes(5));

    assertThat(value("carillon_runs_emitted_total")).isEqualTo(3);
    assertThat(value("carillon_runs_started_total{target=\"noop\"}")).isEqualTo(3);
    assertThat(value("carillon_runs_ended_total{state=\"succeeded\",target=\"noop\"}"))
        .isEqualTo(3);
    assertThat(value("carillon_run_duration_seconds_count{target=\"noop\"}")).isEqualTo(3);
    assertThat(value("carillon_run_duration_seconds_sum{target=\"noop\"}")).isZero();
  }

  @Test
  void runs_that_are_not_over_are_counted_by_state() {
    double before = value("carillon_runs{state=\"pending\"}");
    site.post(
        "/runs", "{\"target\": \"noop\", \"in\": \"P1D\", \"correlation\": \"%s\"}".formatted(key));

    assertThat(value("carillon_runs{state=\"pending\"}")).isEqualTo(before + 1);
  }

  @Test
  void a_run_that_another_kept_from_starting_is_counted() {
    site.put("/targets/" + key, "{\"type\": \"worker\"}");
    put(
        "",
        "{\"target\": \"%s\", \"timing\": {\"every\": \"PT1M\"}, \"maxRuns\": 3}".formatted(key));
    site.carillon.pass(Duration.ofSeconds(61));
    site.carillon.carillon().pullWorkers().claim("w", List.of(key), 1, Duration.ofHours(1));
    site.carillon.pass(Duration.ofMinutes(3));
    site.carillon.carillon().pullWorkers().claim("w", List.of(key), 10, Duration.ofHours(1));

    assertThat(value("carillon_runs_skipped_overlap_total")).isEqualTo(2);
  }

  @Test
  void a_planned_run_that_was_missed_is_not_counted_as_one_that_another_kept_from_starting() {
    site.clock.advance(Duration.ofDays(1)); // by then nodes of other tests are dead
    site.carillon.runDue();
    put(
        "",
        """
        {"target": "noop", "timing": {"every": "PT5S"}, "overlap": "allow", "catchUp": {"mode": "skip"}}
        """);
    site.carillon.runDue();
    site.clock.advance(Duration.ofMinutes(10));
    site.carillon.runDue();

    assertThat(value("carillon_runs_ended_total{state=\"skipped\",target=\"noop\"}")).isPositive();
    assertThat(value("carillon_runs_skipped_overlap_total")).isZero();
  }

  @Test
  void drift_is_the_distance_from_the_slot_and_lateness_that_from_when_a_run_was_due() {
    site.clock.advance(Duration.ofSeconds(7));
    site.post("/runs", "{\"target\": \"noop\", \"at\": \"2026-01-01T00:00:04Z\"}");
    site.carillon.runDue();

    assertThat(value("carillon_run_drift_seconds_sum")).isEqualTo(3);
    assertThat(value("carillon_run_drift_seconds_count")).isEqualTo(1);
    assertThat(value("carillon_run_drift_seconds_bucket{le=\"2.5\"}")).isZero();
    assertThat(value("carillon_run_drift_seconds_bucket{le=\"5.0\"}")).isEqualTo(1);
    assertThat(value("carillon_run_lateness_seconds_sum")).isZero();
    assertThat(value("carillon_run_lateness_seconds_count")).isEqualTo(1);
  }

  @Test
  void failures_are_counted_by_target_schedule_and_code_and_end_as_dead_letters() {
    double dead = value("carillon_dead_letters");
    put("", "{\"target\": \"fail\", \"timing\": {\"every\": \"PT1M\"}, \"maxRuns\": 2}");
    site.carillon.pass(Duration.ofMinutes(3));

    assertThat(value("carillon_runs_ended_total{state=\"failed\",target=\"fail\"}")).isEqualTo(2);
    assertThat(value("carillon_dead_letters")).isEqualTo(dead + 2);
    assertThat(metrics().lines())
        .anyMatch(
            line -> line.startsWith("carillon_run_failures_total{code=") && line.endsWith("} 2.0"));
  }

  @Test
  void failures_in_a_row_are_counted_and_the_last_success_is_shown() {
    put("", "{\"target\": \"noop\", \"timing\": {\"every\": \"PT1M\"}}");
    site.carillon.pass(Duration.ofSeconds(60));
    site.patch("/schedules/" + key, "{\"target\": \"fail\"}");
    site.carillon.pass(Duration.ofMinutes(3));

    assertThat(value("carillon_schedule_consecutive_failures{schedule=\"%s\"}".formatted(key)))
        .isEqualTo(3);
    assertThat(
            value(
                "carillon_schedule_last_success_timestamp_seconds{schedule=\"%s\"}".formatted(key)))
        .isEqualTo(1767225660); // 2026-01-01T00:01:00Z
  }

  @Test
  void ends_are_counted_by_what_timed_them() {
    put("-a", "{\"target\": \"fail\", \"timing\": {\"cron\": \"* * * * *\"}, \"maxRuns\": 1}");
    put("-b", "{\"target\": \"noop\", \"timing\": {\"every\": \"PT1M\"}, \"maxRuns\": 2}");
    put("-c", "{\"target\": \"fail\", \"timing\": {\"in\": \"PT1M\"}}");
    site.post("/runs", "{\"target\": \"noop\"}");
    site.carillon.pass(Duration.ofMinutes(4));

    assertThat(value("carillon_runs_by_timing_total{state=\"failed\",timing=\"cron\"}"))
        .isEqualTo(1);
    assertThat(value("carillon_runs_by_timing_total{state=\"succeeded\",timing=\"every\"}"))
        .isEqualTo(2);
    assertThat(value("carillon_runs_by_timing_total{state=\"failed\",timing=\"once\"}"))
        .isEqualTo(1);
    assertThat(value("carillon_runs_by_timing_total{state=\"succeeded\",timing=\"none\"}"))
        .isEqualTo(1);
  }

  @Test
  void dropped_slots_are_counted_by_reason() {
    put(
        "",
        "{\"target\": \"noop\", \"timing\": {\"every\": \"PT1M\"}, \"catchUp\": {\"mode\": \"skip\"}}");
    site.clock.advance(Duration.ofMinutes(10));
    site.carillon.runDue();

    assertThat(value("carillon_slots_dropped_total{reason=\"missed\"}")).isGreaterThanOrEqualTo(9);
  }

  @Test
  void a_node_that_dies_is_counted_with_its_runs() {
    var lost =
        ManualCarillon.on(source)
            .clock(site.clock)
            .with(builder -> builder.asyncTarget(key, (context, done) -> {}))
            .start();
    lost.runs().enqueue(RunDraft.of(key).correlation(key));
    lost.runDue();
    double before = value("carillon_recovery_events_total");
    site.clock.advance(Duration.ofMinutes(1));
    site.carillon.turn(EngineLoop.HEARTBEAT);
    site.carillon.turn(EngineLoop.RECOVERY);

    assertThat(value("carillon_recovery_events_total")).isEqualTo(before + 1);
    assertThat(value("carillon_runs_recovered_total")).isEqualTo(1);
  }

  @Test
  void nodes_and_turns_and_the_build_are_shown() {
    site.carillon.runDue();

    assertThat(value("carillon_nodes")).isGreaterThanOrEqualTo(1);
    assertThat(value("carillon_database_up")).isEqualTo(1);
    assertThat(
            value(
                "carillon_build_info{java=\"%s\",version=\"%s\"}"
                    .formatted(Runtime.version(), Version.current())))
        .isEqualTo(1);
  }

  @Test
  void attempts_that_are_tried_again_are_counted() {
    put(
        "",
        """
        {"target": "fail", "timing": {"every": "PT1M"}, "maxRuns": 1,
         "retry": {"attempts": 3, "backoff": "PT1S", "factor": 1}}
        """);
    site.carillon.pass(Duration.ofMinutes(2));

    assertThat(value("carillon_runs_retried_total{target=\"fail\"}")).isEqualTo(2);
  }
}
