package dev.carillon.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.carillon.fixture.EmbeddedPostgres;
import dev.carillon.fixture.HostileGen;
import dev.carillon.server.web.Request;
import dev.carillon.server.web.Role;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(EmbeddedPostgres.class)
class MonitoringTest {
  private final Site site;
  private final String key = "watched-" + Long.toHexString(System.nanoTime());

  MonitoringTest(DataSource source) {
    site = new Site(source);
  }

  @AfterEach
  void close() {
    site.delete("/schedules/" + key);
    site.delete("/runs?correlation=late");
    site.close();
  }

  private Answer ask(String path) {
    return site.send(site.as(Role.VIEWER, Request.of("GET", path)));
  }

  private void runTwice(String target) {
    site.put(
        "/schedules/" + key,
        "{\"target\": \"%s\", \"timing\": {\"every\": \"PT1M\"}}".formatted(target));
    site.carillon.pass(Duration.ofMinutes(2));
  }

  @Test
  void runs_are_counted_by_target_and_state_and_timed() {
    runTwice("noop");

    assertThat(ask("/metrics").text().lines())
        .contains(
            "carillon_runs_ended_total{state=\"succeeded\",target=\"noop\"} 2.0",
            "carillon_runs_started_total{target=\"noop\"} 2.0",
            "carillon_run_lateness_seconds_count 2",
            "carillon_run_lateness_seconds_bucket{le=\"0.005\"} 2",
            "carillon_run_duration_seconds_count{target=\"noop\"} 2",
            "carillon_database_up 1.0");
  }

  @Test
  void waiting_for_another_attempt_is_not_lateness() {
    site.put(
        "/schedules/" + key,
        """
        {"target": "fail", "timing": {"every": "PT1M"}, "retry": {"attempts": 2, "backoff": "PT20S"}}
        """);
    site.carillon.pass(Duration.ofSeconds(90));

    assertThat(ask("/metrics").text().lines())
        .contains(
            "carillon_runs_started_total{target=\"fail\"} 2.0",
            "carillon_run_lateness_seconds_count 1");
  }

  @Test
  void a_schedule_that_fails_is_named_with_how_often_in_a_row() {
    runTwice("fail");
    String text = ask("/metrics").text();

    assertThat(text.lines())
        .contains(
            "carillon_schedule_consecutive_failures{schedule=\"%s\"} 2.0".formatted(key),
            "carillon_runs_ended_total{state=\"failed\",target=\"fail\"} 2.0");
    assertThat(text).contains("carillon_run_failures_total{code=");
  }

  @Test
  void what_clients_sent_is_escaped_in_labels_where_texts_may_become_the_same() {
    for (String end : List.of("\u202e", "\\u202e")) {
      site.put(
          "/schedules/" + URLEncoder.encode(key + end, StandardCharsets.UTF_8),
          "{\"target\": \"fail\", \"timing\": {\"every\": \"PT1M\"}}");
    }
    site.carillon.pass(Duration.ofMinutes(2));
    site.put("/targets/" + key, "{\"type\": \"worker\"}");
    site.post("/runs", "{\"target\": \"%s\", \"retry\": {\"attempts\": 1}}".formatted(key));
    Answer claimed =
        site.post("/workers/claim", "{\"worker\": \"anna\", \"targets\": [\"%s\"]}".formatted(key));
    site.post(
        "/workers/complete",
        """
        [{"id": "%s", "fence": "%s", "attempt": 1, "outcome": "failed",
          "failure": {"code": "\\u001b[31m\\u0085\\u2028", "message": "no"}}]
        """
            .formatted(claimed.at("/runs/0/id"), claimed.at("/runs/0/fence")));
    String text = ask("/metrics").text();

    assertThat(HostileGen.harmful(text)).as(text).isEqualTo(-1);
    assertThat(text.lines())
        .contains(
            "carillon_run_failures_total{code=\"\\\\u001b[31m\\\\u0085\\\\u2028\"} 1.0",
            "carillon_schedule_consecutive_failures{schedule=\"%s\\\\u202e\"} 2.0".formatted(key));
    for (String end : List.of("\u202e", "\\u202e")) {
      site.delete("/schedules/" + URLEncoder.encode(key + end, StandardCharsets.UTF_8));
    }
  }

  @Test
  void the_database_is_asked_at_most_every_few_seconds() {
    ask("/metrics");
    site.put("/schedules/" + key, "{\"target\": \"noop\", \"timing\": {\"every\": \"PT1H\"}}");
    String before = line(ask("/metrics"), "carillon_schedules{state=\"active\"}");
    site.clock.advance(Duration.ofSeconds(5));
    String after = line(ask("/metrics"), "carillon_schedules{state=\"active\"}");

    assertThat(number(after)).isEqualTo(number(before) + 1);
  }

  private static String line(Answer answer, String name) {
    return answer.text().lines().filter(line -> line.startsWith(name)).findFirst().orElseThrow();
  }

  private static double number(String line) {
    return Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1));
  }

  @Test
  void a_server_that_does_its_work_is_healthy() {
    Answer health = ask("/health");

    assertThat(health.status()).isEqualTo(200);
    assertThat(health.at("/status")).isEqualTo("healthy");
    assertThat(health.json().at("/numbers/nodes").asInt()).isPositive();
  }

  @Test
  void a_node_without_a_lease_is_not_running() {
    site.clock.advance(Duration.ofMinutes(1));
    Answer health = ask("/health");

    assertThat(health.status()).isEqualTo(503);
    assertThat(health.at("/reasons/0")).startsWith("not running");
  }

  @Test
  void more_than_ten_late_runs_are_too_many_and_ten_are_not() {
    for (int i = 0; i < 10; i++) {
      late();
    }
    site.clock.advance(Duration.ofMinutes(2));
    assertThat(ask("/health").json().at("/numbers/missed").asInt()).isEqualTo(10);
    assertThat(ask("/health").text()).doesNotContain("missed: ");

    late();
    site.clock.advance(Duration.ofMinutes(2));

    assertThat(ask("/health").text()).contains("missed: 11 ");
  }

  private void late() {
    site.post("/runs", "{\"target\": \"noop\", \"correlation\": \"late\"}");
  }

  @Test
  void more_than_five_stalled_runs_are_too_many() {
    site.put("/targets/" + key, "{\"type\": \"worker\"}");
    for (int i = 0; i < 6; i++) {
      site.post("/runs", "{\"target\": \"%s\"}".formatted(key));
    }
    var workers = site.carillon.carillon().pullWorkers();
    assertThat(workers.claim("ada", List.of(key), 10, Duration.ofSeconds(30))).hasSize(6);
    site.clock.advance(Duration.ofSeconds(89));
    assertThat(ask("/health").text()).doesNotContain("stalled: ");

    site.clock.advance(Duration.ofSeconds(6));

    assertThat(ask("/health").text())
        .contains("stalled: 6 running runs have no live node or worker");
  }

  @Test
  void an_id_that_is_none_is_refused() {
    Request request = site.as(Role.VIEWER, Request.of("GET", Site.ROOT + "/events"));

    for (String id : new String[] {"x", "1-2-3", "1-999999999999-a1", "1-1-" + "0".repeat(36)}) {
      assertThat(site.send(request.header("Last-Event-ID", id)).status()).as(id).isEqualTo(400);
    }
    assertThat(site.send(request.header("Last-Event-ID", "1-1-a1")).status()).isEqualTo(200);
  }
}
