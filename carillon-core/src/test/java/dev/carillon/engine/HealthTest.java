package dev.carillon.engine;

import static dev.carillon.engine.Chime.many;
import static org.assertj.core.api.Assertions.assertThat;

import dev.carillon.RunDraft;
import dev.carillon.ScheduleDraft;
import dev.carillon.event.EngineLoop;
import dev.carillon.fixture.EmbeddedPostgres;
import dev.carillon.fixture.Wiretap;
import dev.carillon.model.Health;
import dev.carillon.model.Metrics;
import dev.carillon.policy.CatchUp;
import dev.carillon.testing.ManualCarillon;
import java.time.Duration;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/** What a scheduler tells a program about itself. */
@ExtendWith(EmbeddedPostgres.class)
@Timeout(60)
class HealthTest {
  private static final Duration LEASE = Duration.ofSeconds(15);
  private static final Duration MINUTE = Duration.ofMinutes(1);

  private final DataSource postgres;
  private final Chime chime;

  HealthTest(DataSource postgres) {
    this.postgres = postgres;
    chime = new Chime(postgres);
  }

  @AfterEach
  void close() {
    chime.close();
  }

  @Test
  void a_node_that_works_is_healthy() {
    Health health = chime.node().carillon().health();

    assertThat(health.isHealthy()).isTrue();
    assertThat(health.reasons()).isEmpty();
    assertThat(health.numbers()).containsEntry("nodes", 1L).containsEntry("missed", 0L);
  }

  @Test
  void a_node_whose_lease_is_over_is_not_running() {
    ManualCarillon node = chime.node();
    chime.belfry.clock().advance(LEASE);

    assertThat(node.carillon().health().reasons())
        .containsExactly("not running: this node has no lease, so it starts nothing");
  }

  @Test
  void more_than_ten_late_runs_are_missed() {
    ManualCarillon node = chime.node();
    node.runs().enqueueAll(many(11, "bell"));
    node.turn(EngineLoop.HEARTBEAT);
    node.turn(EngineLoop.HEARTBEAT);
    chime.belfry.clock().advance(MINUTE.plusSeconds(1));
    node.turn(EngineLoop.HEARTBEAT);

    assertThat(node.carillon().health().reasons())
        .containsExactly(
            "missed: 11 schedules or runs wait for more than a minute; at most 10 may");
  }

  @Test
  void more_than_five_runs_of_a_lost_node_are_stalled() {
    ManualCarillon lost = chime.node();
    lost.runs().enqueueAll(many(6, "slow"));
    lost.runDue();
    ManualCarillon other = chime.node();
    chime.belfry.clock().advance(LEASE.minusSeconds(1));
    other.turn(EngineLoop.HEARTBEAT);
    chime.belfry.clock().advance(Duration.ofSeconds(1));

    assertThat(other.carillon().health().reasons())
        .containsExactly(
            "stalled: 6 running runs have no live node or worker; at most 5 may be so");
  }

  @Test
  void a_database_that_does_not_answer_is_a_reason() {
    var tap = new Wiretap(postgres);
    ManualCarillon node =
        chime.belfry.nodeOn(tap.dataSource(), builder -> builder.target("bell", chime.bell));
    tap.cut(true);
    Health health = node.carillon().health();
    tap.cut(false);

    assertThat(health.isHealthy()).isFalse();
    assertThat(health.reasons())
        .singleElement()
        .asString()
        .startsWith("the database cannot be asked: ");
    assertThat(health.numbers()).isEmpty();
  }

  @Test
  void figures_tell_what_ended_and_how() {
    ManualCarillon node = chime.node();
    node.schedules().create(ScheduleDraft.named("fires").target("bell").every(MINUTE));
    node.schedules().create(ScheduleDraft.named("rests").target("bell").every(MINUTE));
    node.schedules().pause("rests", "not now");
    node.pass(MINUTE.multipliedBy(3));
    node.runs().enqueue(RunDraft.of("slow"));
    node.runDue();
    node.pass(Duration.ofSeconds(8));
    chime.slow.last().fail("broken");
    node.runDue();

    Metrics metrics = node.carillon().metrics();
    assertThat(metrics.totalSchedules()).isEqualTo(2);
    assertThat(metrics.activeSchedules()).isEqualTo(1);
    assertThat(metrics.succeeded()).isEqualTo(3);
    assertThat(metrics.failed()).isEqualTo(1);
    assertThat(metrics.executionsPerMinute()).isEqualTo(4 / 60.0);
    assertThat(metrics.averageExecutionTime()).isEqualTo(Duration.ofSeconds(2));
    assertThat(metrics.failedExecutionsRate()).isEqualTo(0.25);
  }

  @Test
  void figures_of_an_hour_are_forgotten_after_it_and_totals_are_not() {
    ManualCarillon node = chime.node();
    node.runs().enqueue(RunDraft.of("bell"));
    node.runDue();
    node.pass(Duration.ofHours(1));

    assertThat(node.carillon().metrics().executionsPerMinute()).isZero();
    assertThat(node.carillon().metrics().averageExecutionTime()).isZero();
    assertThat(node.carillon().metrics().succeeded()).isEqualTo(1);
  }

  @Test
  void figures_count_missed_slots_and_recovered_runs() {
    ManualCarillon lost = chime.node();
    lost.runs().enqueueAll(many(2, "slow"));
    lost.schedules()
        .create(
            ScheduleDraft.named("missing")
                .target("bell")
                .every(Duration.ofMinutes(10))
                .catchUp(CatchUp.skip()));
    lost.runDue();
    chime.belfry.clock().advance(Duration.ofHours(1));
    ManualCarillon other = chime.node();
    other.runDue();

    Metrics metrics = other.carillon().metrics();
    assertThat(metrics.recovered()).isEqualTo(2);
    assertThat(metrics.recoveryEvents()).isEqualTo(1);
    assertThat(metrics.missed()).isPositive();
  }
}
