package dev.carillon.engine;

import static dev.carillon.engine.Chime.events;
import static dev.carillon.engine.Chime.many;
import static dev.carillon.engine.Chime.run;
import static org.assertj.core.api.Assertions.assertThat;

import dev.carillon.RunDraft;
import dev.carillon.event.EngineLoop;
import dev.carillon.event.Event;
import dev.carillon.fixture.EmbeddedPostgres;
import dev.carillon.fixture.SlowTarget;
import dev.carillon.model.Failure;
import dev.carillon.model.NodeInfo;
import dev.carillon.model.Run;
import dev.carillon.model.RunId;
import dev.carillon.model.RunState;
import dev.carillon.target.Outcome;
import dev.carillon.target.StopReason;
import dev.carillon.testing.ManualCarillon;
import dev.carillon.testing.RecordingTarget;
import java.time.Duration;
import java.util.ArrayList;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Nodes that are lost, and nodes that come back after they were thought lost. */
@ExtendWith(EmbeddedPostgres.class)
class LostNodesTest {
  private static final Duration LEASE = Duration.ofSeconds(15);
  private static final Duration SCAN = Duration.ofMillis(2_500);

  private final Chime chime;
  private final RecordingTarget bell;
  private final SlowTarget slow;

  LostNodesTest(DataSource postgres) {
    chime = new Chime(postgres);
    bell = chime.bell;
    slow = chime.slow;
  }

  @AfterEach
  void close() {
    chime.close();
  }

  @Test
  void the_run_of_a_lost_node_is_run_by_another_soon_after_the_lease() {
    ManualCarillon lost = chime.node();
    RunId id = lost.runs().enqueue(RunDraft.of("slow"));
    lost.runDue();
    ManualCarillon other = chime.node();
    chime.belfry.clock().advance(LEASE.plus(SCAN).plus(SCAN));
    other.runDue();

    assertThat(run(other, id).node()).contains(other.carillon().nodeId());
    assertThat(run(other, id).attempt()).isEqualTo(2);
    assertThat(run(other, id).attempts())
        .extracting(attempt -> attempt.failure().code())
        .containsExactly("node_lost");
  }

  @Test
  void a_node_that_is_merely_late_keeps_its_runs() {
    ManualCarillon late = chime.node();
    RunId id = late.runs().enqueue(RunDraft.of("slow"));
    late.runDue();
    ManualCarillon other = chime.node();
    chime.belfry.clock().advance(LEASE.minusMillis(1));
    other.runDue();
    late.runDue();

    assertThat(run(other, id).attempt()).isEqualTo(1);
  }

  @Test
  void work_that_is_done_at_most_once_has_failed_with_its_node() {
    ManualCarillon lost = chime.node();
    RunId id = lost.runs().enqueue(RunDraft.of("slow").atMostOnce());
    lost.runDue();
    ManualCarillon other = chime.node();
    chime.belfry.clock().advance(LEASE);
    other.runDue();

    assertThat(run(other, id).state()).isEqualTo(RunState.FAILED);
    assertThat(run(other, id).failure().orElseThrow().code()).isEqualTo("node_lost");
    assertThat(slow.calls()).hasSize(1);
  }

  @Test
  void a_run_that_loses_three_nodes_is_a_dead_letter() {
    RunId id = chime.node().runs().enqueue(RunDraft.of("slow"));
    for (int i = 0; i < 3; i++) {
      chime.node().runDue();
      chime.belfry.clock().advance(LEASE);
    }
    ManualCarillon last = chime.node();
    last.runDue();

    assertThat(last.runs().deadLetters(10)).extracting(Run::id).containsExactly(id);
    assertThat(run(last, id).attempt()).isEqualTo(3);
  }

  @Test
  void the_loss_of_a_node_is_told_once_with_what_became_of_its_runs() {
    ManualCarillon lost = chime.node();
    RunId again = lost.runs().enqueue(RunDraft.of("slow"));
    RunId over = lost.runs().enqueue(RunDraft.of("slow").atMostOnce());
    lost.runDue();
    ManualCarillon other = chime.node();
    ManualCarillon third = chime.node();
    chime.belfry.pass(LEASE, other, third);
    chime.belfry.pass(LEASE, third, other);

    var told = new ArrayList<Event>();
    told.addAll(other.events());
    told.addAll(third.events());
    assertThat(told)
        .filteredOn(Event.NodeLost.class::isInstance)
        .singleElement()
        .isInstanceOfSatisfying(
            Event.NodeLost.class,
            event -> {
              assertThat(event.node()).isEqualTo(lost.carillon().nodeId());
              assertThat(event.epoch()).isEqualTo(1);
              assertThat(event.runs()).isEqualTo(2);
            });
    assertThat(told)
        .filteredOn(Event.Retrying.class::isInstance)
        .extracting(event -> ((Event.Retrying) event).run().id())
        .containsExactly(again);
    assertThat(told)
        .filteredOn(Event.Finished.class::isInstance)
        .extracting(event -> ((Event.Finished) event).run().id())
        .containsExactly(over);
  }

  @Test
  void a_run_that_was_to_be_canceled_when_its_node_was_lost_is_canceled() {
    ManualCarillon lost = chime.node();
    RunId id = lost.runs().enqueue(RunDraft.of("slow"));
    lost.runDue();
    ManualCarillon other = chime.node();
    other.runs().cancel(id, "not needed");
    chime.belfry.clock().advance(LEASE);
    other.runDue();

    assertThat(run(other, id).state()).isEqualTo(RunState.CANCELED);
    assertThat(run(other, id).reason()).contains("not needed");
  }

  @Test
  void what_a_thawed_node_reports_changes_nothing() {
    ManualCarillon frozen = chime.node();
    RunId id = frozen.runs().enqueue(RunDraft.of("slow"));
    frozen.runDue();
    ManualCarillon other = chime.node();
    chime.belfry.clock().advance(LEASE);
    other.runDue();
    slow.call(0).succeed();
    frozen.turn(EngineLoop.COMPLETION);

    assertThat(run(other, id).state()).isEqualTo(RunState.RUNNING);
    assertThat(events(frozen, Event.Fenced.class)).hasSize(1);
  }

  @Test
  void a_thawed_node_tells_its_handlers_that_nothing_counts_any_more() {
    ManualCarillon frozen = chime.node();
    frozen.runs().enqueue(RunDraft.of("slow"));
    frozen.runDue();
    ManualCarillon other = chime.node();
    chime.belfry.clock().advance(LEASE);
    other.runDue();
    frozen.turn(EngineLoop.HEARTBEAT);

    assertThat(slow.call(0).stops()).containsExactly(StopReason.FENCED);
  }

  @Test
  void a_thawed_node_joins_again_in_a_new_epoch() {
    ManualCarillon frozen = chime.node();
    ManualCarillon other = chime.node();
    chime.belfry.clock().advance(LEASE);
    other.runDue();
    frozen.runDue();

    assertThat(frozen.carillon().nodes())
        .filteredOn(info -> info.id().equals(frozen.carillon().nodeId()))
        .extracting(NodeInfo::epoch)
        .containsExactly(2L);
  }

  @Test
  void a_thawed_node_has_room_again_for_what_was_taken_from_it() {
    ManualCarillon frozen =
        chime.belfry.node(builder -> builder.asyncTarget("slow", slow).concurrency(1));
    frozen.runs().enqueueAll(many(3, "slow"));
    frozen.runDue();
    chime.belfry.clock().advance(LEASE);
    frozen.runDue();

    assertThat(slow.calls()).hasSize(2);
  }

  @Test
  void a_thawed_node_claims_nothing_before_it_has_joined_again() {
    ManualCarillon frozen = chime.node();
    frozen.runs().enqueue(RunDraft.of("bell"));
    chime.belfry.clock().advance(LEASE);
    frozen.turn(EngineLoop.CLAIMING);
    frozen.turn(EngineLoop.PLANNING);

    assertThat(bell.calls()).isEmpty();
  }

  @Test
  void a_handler_that_fails_when_told_to_stop_does_not_keep_others_from_being_told() {
    var told = new ArrayList<RunId>();
    ManualCarillon frozen =
        chime.belfry.node(
            builder ->
                builder.asyncTarget(
                    "odd",
                    (context, done) ->
                        context.onStop(
                            reason -> {
                              told.add(context.id());
                              throw new IllegalStateException("no ear");
                            })));
    frozen.runs().enqueueAll(many(3, "odd"));
    frozen.runDue();
    chime.belfry.clock().advance(LEASE);
    frozen.turn(EngineLoop.HEARTBEAT);

    assertThat(told).hasSize(3);
  }

  @Test
  void a_handler_that_gives_up_because_its_node_lost_its_lease_has_not_failed() {
    var nodes = new ArrayList<ManualCarillon>();
    ManualCarillon frozen =
        chime.belfry.node(
            builder ->
                builder.asyncTarget(
                    "obedient",
                    (context, done) ->
                        context.onStop(
                            reason -> {
                              done.accept(
                                  Outcome.failed(Failure.of("interrupted", "was told to stop")));
                              nodes
                                  .get(0)
                                  .turn(EngineLoop.COMPLETION); // before anybody has recovered it
                            })));
    nodes.add(frozen);
    RunId id = frozen.runs().enqueue(RunDraft.of("obedient"));
    frozen.runDue();
    chime.belfry.clock().advance(LEASE);
    frozen.turn(EngineLoop.HEARTBEAT);

    assertThat(run(frozen, id).state()).isEqualTo(RunState.PENDING);
    assertThat(run(frozen, id).attempts())
        .extracting(attempt -> attempt.failure().code())
        .containsExactly("node_lost");
    assertThat(events(frozen, Event.Finished.class)).isEmpty();
  }
}
