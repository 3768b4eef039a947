package dev.carillon.engine;

import static dev.carillon.engine.Chime.events;
import static dev.carillon.engine.Chime.run;
import static org.assertj.core.api.Assertions.assertThat;

import dev.carillon.RunDraft;
import dev.carillon.ScheduleDraft;
import dev.carillon.event.Event;
import dev.carillon.fixture.EmbeddedPostgres;
import dev.carillon.fixture.SlowTarget;
import dev.carillon.model.RunId;
import dev.carillon.model.RunState;
import dev.carillon.target.Lease;
import dev.carillon.target.LeasedRun;
import dev.carillon.testing.ManualCarillon;
import dev.carillon.testing.TestClock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The clock of the database is set while nodes are at work. */
@ExtendWith(EmbeddedPostgres.class)
class ClockStepsTest {
  private static final Duration LEASE = Duration.ofSeconds(15);
  private static final Duration FORWARD = Duration.ofSeconds(40);
  private static final Duration BACK = FORWARD.negated();

  private final Chime chime;
  private final SlowTarget slow;
  private final TestClock clock;

  ClockStepsTest(DataSource postgres) {
    chime = new Chime(postgres);
    slow = chime.slow;
    clock = chime.belfry.clock();
  }

  @AfterEach
  void close() {
    chime.close();
  }

  @ParameterizedTest
  @ValueSource(ints = {40, -40, 4_000, -4_000})
  void living_nodes_keep_their_runs(int seconds) {
    ManualCarillon one = chime.node();
    RunId id = one.runs().enqueue(RunDraft.of("slow"));
    one.runDue();
    ManualCarillon other = chime.node();
    other.runDue();

    clock.step(Duration.ofSeconds(seconds));
    other.runDue();
    one.runDue();
    chime.belfry.pass(LEASE.multipliedBy(2), other, one);

    assertThat(run(other, id).attempt()).isEqualTo(1);
    assertThat(slow.calls()).hasSize(1);
    assertThat(slow.last().stops()).isEmpty();
    slow.last().succeed();
    one.runDue();
    assertThat(run(other, id).state()).isEqualTo(RunState.SUCCEEDED);
  }

  @ParameterizedTest
  @ValueSource(ints = {40, -40})
  void the_runs_of_a_node_that_died_are_recovered_a_lease_after_the_step_and_not_before(
      int seconds) {
    ManualCarillon dead = chime.node();
    RunId id = dead.runs().enqueue(RunDraft.of("slow"));
    dead.runDue();
    ManualCarillon other = chime.node();
    other.runDue();

    clock.step(Duration.ofSeconds(seconds));
    chime.belfry.pass(LEASE.minusSeconds(1), other);
    assertThat(run(other, id).attempts()).isEmpty();
    chime.belfry.pass(Duration.ofSeconds(2), other);

    assertThat(lost(other, id)).containsExactly("node_lost");
    chime.belfry.pass(FORWARD, other);
    assertThat(slow.calls()).hasSize(2);
  }

  private static List<String> lost(ManualCarillon node, RunId id) {
    return run(node, id).attempts().stream().map(attempt -> attempt.failure().code()).toList();
  }

  @Test
  void a_node_that_joins_after_a_step_back_does_not_wait_for_the_old_time() {
    ManualCarillon dead = chime.node();
    RunId id = dead.runs().enqueue(RunDraft.of("slow"));
    dead.runDue();
    clock.step(BACK);
    ManualCarillon other = chime.node();
    chime.belfry.pass(LEASE.plusSeconds(2), other);

    assertThat(lost(other, id)).containsExactly("node_lost");
  }

  @Test
  void a_node_that_froze_lets_go_of_its_lease_by_the_time_that_passed() {
    ManualCarillon frozen = chime.node();
    RunId id = frozen.runs().enqueue(RunDraft.of("slow"));
    frozen.runDue();
    ManualCarillon other = chime.node();
    clock.step(BACK);
    chime.belfry.pass(LEASE.plusSeconds(2), other);
    frozen.runDue();

    assertThat(slow.call(0).stops()).hasSize(1);
    slow.call(0).succeed();
    frozen.runDue();
    assertThat(run(other, id).state()).isEqualTo(RunState.PENDING);
  }

  @Test
  void after_a_step_back_requested_runs_start_at_once_and_the_lease_is_renewed() {
    ManualCarillon node = chime.node();
    chime.belfry.pass(Duration.ofSeconds(3), node);
    clock.step(BACK);
    RunId id = node.runs().enqueue(RunDraft.of("bell"));
    node.runDue();

    assertThat(run(node, id).state()).isEqualTo(RunState.SUCCEEDED);
    assertThat(node.carillon().nodes())
        .singleElement()
        .satisfies(info -> assertThat(info.leaseUntil()).isEqualTo(clock.instant().plus(LEASE)));
  }

  @Test
  void after_a_step_back_slots_do_not_run_again_and_later_ones_wait_for_the_clock() {
    ManualCarillon node = chime.node();
    node.schedules()
        .create(ScheduleDraft.named("seconds").target("bell").every(Duration.ofSeconds(1)));
    chime.belfry.pass(Duration.ofSeconds(60), node);
    int before = chime.bell.calls().size();
    clock.step(BACK);
    chime.belfry.pass(Duration.ofSeconds(39), node);
    assertThat(chime.bell.calls()).hasSize(before);
    chime.belfry.pass(Duration.ofSeconds(11), node);

    assertThat(chime.bell.slots()).doesNotHaveDuplicates().hasSizeBetween(before + 9, before + 11);
    assertThat(events(node, Event.Started.class))
        .allSatisfy(started -> assertThat(started.at()).isAfterOrEqualTo(started.dueAt()));
  }

  @ParameterizedTest
  @ValueSource(ints = {40, -40})
  void a_timeout_is_time_that_passed(int seconds) {
    ManualCarillon node = chime.node();
    node.runs().enqueue(RunDraft.of("slow").timeout(Duration.ofSeconds(30)));
    node.runDue();
    clock.step(Duration.ofSeconds(seconds));
    chime.belfry.pass(Duration.ofSeconds(28), node);
    assertThat(slow.last().stops()).isEmpty();
    chime.belfry.pass(Duration.ofSeconds(3), node);

    assertThat(slow.last().stops()).hasSize(1);
  }

  @Test
  void a_worker_that_renews_its_lease_keeps_its_run_through_a_step_forward() {
    ManualCarillon node =
        chime.belfry.node(builder -> builder.remoteTarget("remote").asyncTarget("slow", slow));
    RunId id = node.runs().enqueue(RunDraft.of("remote"));
    node.runDue();
    List<LeasedRun> leased =
        node.carillon().pullWorkers().claim("worker-1", List.of("remote"), 1, LEASE);
    Lease lease = leased.get(0).lease();
    clock.step(FORWARD);
    node.runDue();
    chime.belfry.pass(Duration.ofSeconds(5), node);

    assertThat(node.carillon().pullWorkers().heartbeat("worker-1", List.of(lease), LEASE).get(id))
        .satisfies(renewal -> assertThat(renewal.shouldContinue()).isTrue());
  }

  @Test
  void a_worker_that_fell_silent_loses_its_run_some_time_after_a_step_forward() {
    ManualCarillon node = chime.belfry.node(builder -> builder.remoteTarget("remote"));
    RunId id = node.runs().enqueue(RunDraft.of("remote"));
    node.runDue();
    node.carillon().pullWorkers().claim("worker-1", List.of("remote"), 1, LEASE);
    clock.step(FORWARD);
    chime.belfry.pass(LEASE.plusSeconds(1), node);

    assertThat(run(node, id).state()).isEqualTo(RunState.PENDING);
  }

  @ParameterizedTest
  @ValueSource(ints = {40, -40})
  void a_step_is_said_once_by_event_and_for_ten_minutes_by_health(int seconds) {
    ManualCarillon node = chime.node();
    clock.step(Duration.ofSeconds(seconds));
    Instant at = clock.instant();
    chime.belfry.pass(Duration.ofSeconds(3), node);

    assertThat(events(node, Event.ClockStepped.class))
        .singleElement()
        .satisfies(event -> assertThat(event.by()).hasSeconds(seconds));
    assertThat(node.carillon().nodeProblems())
        .singleElement()
        .asString()
        .startsWith(
            "clock step: the database's clock was set by %+d.000 s at %s;".formatted(seconds, at));
    chime.belfry.pass(Duration.ofMinutes(10), node);
    assertThat(node.carillon().nodeProblems()).isEmpty();
  }
}
