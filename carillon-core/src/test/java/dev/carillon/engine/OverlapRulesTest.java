package dev.carillon.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.carillon.ScheduleDraft;
import dev.carillon.fixture.Belfry;
import dev.carillon.fixture.EmbeddedPostgres;
import dev.carillon.fixture.SlowTarget;
import dev.carillon.model.Payload;
import dev.carillon.model.Run;
import dev.carillon.model.RunState;
import dev.carillon.policy.Overlap;
import dev.carillon.policy.Recovery;
import dev.carillon.policy.Retry;
import dev.carillon.target.Outcome;
import dev.carillon.target.StopReason;
import dev.carillon.testing.ManualCarillon;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** What a run does when it is due while an earlier run of its schedule is unfinished. */
@ExtendWith(EmbeddedPostgres.class)
class OverlapRulesTest {
  private static final Duration MINUTE = Duration.ofMinutes(1);

  private final Belfry belfry;
  private final SlowTarget slow = new SlowTarget();
  private final ManualCarillon node;

  OverlapRulesTest(DataSource postgres) {
    belfry = new Belfry(postgres);
    node = belfry.node(builder -> builder.asyncTarget("slow", slow));
  }

  @AfterEach
  void close() {
    belfry.close();
  }

  private static Instant at(String time) {
    return Instant.parse("2026-03-01T" + time + "Z");
  }

  private static ScheduleDraft minutely(Overlap overlap) {
    return ScheduleDraft.named("minutely").target("slow").cron("* * * * *").overlap(overlap);
  }

  private void start(ScheduleDraft draft) {
    node.schedules().create(draft);
    node.pass(MINUTE);
  }

  private List<RunState> states() {
    return node.runs().ofSchedule("minutely").stream()
        .filter(run -> !run.slot().isAfter(belfry.clock().instant()))
        .sorted(Comparator.comparing(Run::id))
        .map(Run::state)
        .toList();
  }

  private Run of(Instant slot) {
    return node.runs().ofSchedule("minutely").stream()
        .filter(run -> run.slot().equals(slot))
        .findFirst()
        .orElseThrow();
  }

  @Test
  void allow_runs_side_by_side() {
    start(minutely(Overlap.ALLOW));
    node.pass(MINUTE.multipliedBy(2));

    assertThat(states()).containsExactly(RunState.RUNNING, RunState.RUNNING, RunState.RUNNING);
  }

  @Test
  void skip_records_the_run_that_met_another_and_which_it_met() {
    start(minutely(Overlap.SKIP));
    node.pass(MINUTE);

    assertThat(states()).containsExactly(RunState.RUNNING, RunState.SKIPPED);
    assertThat(of(at("00:02:00")).reason())
        .contains("run " + of(at("00:01:00")).id() + " is unfinished");
  }

  @Test
  void skip_goes_on_with_the_first_slot_after_the_end() {
    start(minutely(Overlap.SKIP));
    node.pass(MINUTE);
    slow.last().succeed();
    node.pass(MINUTE);

    assertThat(states()).containsExactly(RunState.SUCCEEDED, RunState.SKIPPED, RunState.RUNNING);
  }

  @Test
  void queue_keeps_the_order_of_the_slots() {
    start(minutely(Overlap.QUEUE));
    node.pass(MINUTE.multipliedBy(3));
    for (int i = 0; i < 4; i++) {
      slow.last().succeed();
      node.runDue();
    }

    assertThat(slow.slots())
        .containsExactly(at("00:01:00"), at("00:02:00"), at("00:03:00"), at("00:04:00"));
  }

  @Test
  void queue_never_runs_two_at_a_time() {
    start(minutely(Overlap.QUEUE));
    node.pass(MINUTE.multipliedBy(3));

    assertThat(states())
        .containsExactly(RunState.RUNNING, RunState.PENDING, RunState.PENDING, RunState.PENDING);
  }

  @Test
  void queue_skips_what_comes_when_it_is_full() {
    start(minutely(Overlap.queue(2)));
    node.pass(MINUTE.multipliedBy(4));

    assertThat(states())
        .containsExactly(
            RunState.RUNNING,
            RunState.PENDING,
            RunState.PENDING,
            RunState.SKIPPED,
            RunState.SKIPPED);
    assertThat(of(at("00:05:00")).reason().orElseThrow()).endsWith("and 2 wait for it");
  }

  @Test
  void queue_has_room_again_when_one_has_left_it() {
    start(minutely(Overlap.queue(1)));
    node.pass(MINUTE.multipliedBy(2));
    slow.last().succeed();
    node.pass(MINUTE);

    assertThat(states())
        .containsExactly(RunState.SUCCEEDED, RunState.RUNNING, RunState.SKIPPED, RunState.PENDING);
  }

  @Test
  void queue_one_keeps_the_first_that_waits() {
    start(minutely(Overlap.QUEUE_ONE));
    node.pass(MINUTE.multipliedBy(2));
    slow.last().succeed();
    node.runDue();

    assertThat(states()).containsExactly(RunState.SUCCEEDED, RunState.RUNNING, RunState.SKIPPED);
  }

  @Test
  void cancel_previous_tells_the_holder_to_stop() {
    start(minutely(Overlap.CANCEL_PREVIOUS));
    node.pass(MINUTE.plusSeconds(5));

    assertThat(slow.call(0).stops()).containsExactly(StopReason.CANCELED);
  }

  @Test
  void cancel_previous_waits_for_the_holder_to_end() {
    start(minutely(Overlap.CANCEL_PREVIOUS));
    node.pass(MINUTE.plusSeconds(5));

    assertThat(states()).containsExactly(RunState.RUNNING, RunState.PENDING);
  }

  @Test
  void cancel_previous_runs_when_the_holder_has_ended() {
    start(minutely(Overlap.CANCEL_PREVIOUS));
    node.pass(MINUTE.plusSeconds(5));
    slow.call(0).fail("stopped");
    node.runDue();

    assertThat(states()).containsExactly(RunState.CANCELED, RunState.RUNNING);
    assertThat(of(at("00:01:00")).reason()).contains("replaced by a newer run");
  }

  @Test
  void cancel_previous_replaces_what_waits_for_the_holder() {
    start(minutely(Overlap.CANCEL_PREVIOUS));
    node.pass(MINUTE.multipliedBy(2).plusSeconds(5));
    slow.call(0).fail("stopped");
    node.runDue();

    assertThat(states()).containsExactly(RunState.CANCELED, RunState.SKIPPED, RunState.RUNNING);
    assertThat(of(at("00:02:00")).reason()).contains("replaced by a newer run");
  }

  @Test
  void cancel_previous_ends_a_holder_that_waits_for_its_retry_at_once() {
    start(minutely(Overlap.CANCEL_PREVIOUS).retry(Retry.times(3).backoff(Duration.ofMinutes(5))));
    slow.last().fail("broken");
    node.pass(MINUTE);

    assertThat(states()).containsExactly(RunState.CANCELED, RunState.RUNNING);
  }

  @Test
  void cancel_previous_ends_a_holder_whose_retry_is_due_with_the_newer_run() {
    start(minutely(Overlap.CANCEL_PREVIOUS).retry(Retry.times(3).backoff(Duration.ofMinutes(1))));
    slow.last().fail("broken");
    belfry.clock().advance(MINUTE);
    node.runDue();

    assertThat(states()).containsExactly(RunState.CANCELED, RunState.RUNNING);
  }

  @Test
  void a_run_that_took_the_place_of_one_due_for_its_retry_is_alone_too() {
    start(minutely(Overlap.CANCEL_PREVIOUS).retry(Retry.times(3).backoff(Duration.ofMinutes(1))));
    slow.last().fail("broken");
    belfry.clock().advance(MINUTE);
    node.runDue();
    node.pass(MINUTE);

    assertThat(states()).containsExactly(RunState.CANCELED, RunState.RUNNING, RunState.PENDING);
  }

  @Test
  void a_run_that_waits_for_its_retry_is_unfinished() {
    start(minutely(Overlap.SKIP).retry(Retry.times(2).backoff(Duration.ofMinutes(5))));
    slow.last().fail("broken");
    node.pass(MINUTE);

    assertThat(states()).containsExactly(RunState.PENDING, RunState.SKIPPED);
  }

  @Test
  void a_retry_goes_before_what_waits_in_the_queue() {
    start(minutely(Overlap.QUEUE).retry(Retry.times(2).backoff(Duration.ofSeconds(90))));
    slow.last().fail("broken");
    node.pass(MINUTE.multipliedBy(2));

    assertThat(slow.slots()).containsExactly(at("00:01:00"), at("00:01:00"));
  }

  @Test
  void a_manual_run_obeys_the_rule() {
    start(minutely(Overlap.SKIP));
    var manual = node.schedules().runNow("minutely").orElseThrow();
    node.runDue();

    assertThat(node.runs().get(manual.id()).orElseThrow().state()).isEqualTo(RunState.SKIPPED);
  }

  @Test
  void a_manual_run_can_override_the_rule() {
    start(minutely(Overlap.SKIP));
    var manual = node.schedules().runNow("minutely", Payload.EMPTY, Overlap.ALLOW).orElseThrow();
    node.runDue();

    assertThat(node.runs().get(manual.id()).orElseThrow().state()).isEqualTo(RunState.RUNNING);
  }

  @Test
  void a_manual_run_is_in_the_way_of_the_next_slot() {
    node.schedules().create(minutely(Overlap.SKIP));
    node.schedules().runNow("minutely");
    node.pass(MINUTE);

    assertThat(states()).containsExactly(RunState.RUNNING, RunState.SKIPPED);
  }

  @Test
  void the_rule_holds_across_nodes() {
    var other = belfry.node(builder -> builder.asyncTarget("slow", slow));
    node.schedules().create(minutely(Overlap.SKIP));
    belfry.pass(MINUTE, node, other);
    belfry.pass(MINUTE, other, node);

    assertThat(states()).containsExactly(RunState.RUNNING, RunState.SKIPPED);
  }

  @Test
  void cancel_previous_reaches_a_holder_on_another_node() {
    var other = belfry.node(builder -> builder.asyncTarget("slow", slow));
    node.schedules().create(minutely(Overlap.CANCEL_PREVIOUS));
    belfry.pass(MINUTE, node, other);
    belfry.clock().advance(MINUTE.minusSeconds(50));
    belfry.pass(Duration.ofSeconds(50), other, node);
    slow.call(0).fail("stopped");
    node.runDue();
    other.runDue();

    assertThat(states()).containsExactly(RunState.CANCELED, RunState.RUNNING);
  }

  @Test
  void the_lane_is_free_after_a_failure() {
    start(minutely(Overlap.QUEUE));
    node.pass(MINUTE);
    slow.last().fail("broken");
    node.runDue();

    assertThat(states()).containsExactly(RunState.FAILED, RunState.RUNNING);
  }

  @Test
  void the_lane_is_free_after_a_cancellation() {
    start(minutely(Overlap.QUEUE));
    node.pass(MINUTE);
    node.runs().cancel(of(at("00:01:00")).id(), "not needed");
    node.runDue();
    slow.last().fail("stopped");
    node.runDue();

    assertThat(states()).containsExactly(RunState.CANCELED, RunState.RUNNING);
  }

  @Test
  void the_lane_is_free_after_the_cancellation_of_a_run_that_waits_for_its_retry() {
    start(minutely(Overlap.QUEUE).retry(Retry.times(2).backoff(Duration.ofMinutes(5))));
    node.pass(MINUTE);
    slow.last().fail("broken");
    node.runDue();
    node.runs().cancel(of(at("00:01:00")).id(), "not needed");
    node.runDue();

    assertThat(states()).containsExactly(RunState.CANCELED, RunState.RUNNING);
  }

  @Test
  void the_cancellation_of_a_waiting_run_leaves_the_lane_to_its_holder() {
    start(minutely(Overlap.QUEUE));
    node.pass(MINUTE);
    node.runs().cancel(of(at("00:02:00")).id(), "not needed");
    node.pass(MINUTE);

    assertThat(states()).containsExactly(RunState.RUNNING, RunState.CANCELED, RunState.PENDING);
  }

  @Test
  void the_lane_is_free_after_a_timeout() {
    start(minutely(Overlap.QUEUE).timeout(Duration.ofSeconds(80)));
    node.pass(MINUTE.multipliedBy(2));

    assertThat(states()).startsWith(RunState.FAILED, RunState.RUNNING);
  }

  @Test
  void the_lane_is_free_when_the_run_of_a_lost_node_has_failed() {
    start(minutely(Overlap.QUEUE).recovery(Recovery.FAIL));
    var other = belfry.node(builder -> builder.asyncTarget("slow", slow));
    belfry.pass(MINUTE.plusSeconds(10), other);

    assertThat(states()).containsExactly(RunState.FAILED, RunState.RUNNING);
  }

  @Test
  void the_run_of_a_lost_node_stays_before_those_that_wait_for_it() {
    start(minutely(Overlap.QUEUE));
    var other = belfry.node(builder -> builder.asyncTarget("slow", slow));
    belfry.pass(MINUTE.plusSeconds(10), other);

    assertThat(states()).containsExactly(RunState.RUNNING, RunState.PENDING);
    assertThat(slow.last().context().attempt()).isEqualTo(2);
  }

  @Test
  void the_lane_is_free_after_a_success_reported_late() {
    start(minutely(Overlap.SKIP));
    belfry.clock().advance(Duration.ofSeconds(12));
    slow.last().end(Outcome.succeeded());
    node.pass(MINUTE);

    assertThat(states()).containsExactly(RunState.SUCCEEDED, RunState.RUNNING);
  }
}
