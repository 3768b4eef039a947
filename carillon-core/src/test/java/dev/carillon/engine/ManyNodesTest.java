package dev.carillon.engine;

import static dev.carillon.engine.Chime.many;
import static dev.carillon.engine.Chime.run;
import static org.assertj.core.api.Assertions.assertThat;

import dev.carillon.RunDraft;
import dev.carillon.ScheduleDraft;
import dev.carillon.event.EngineLoop;
import dev.carillon.fixture.EmbeddedPostgres;
import dev.carillon.fixture.SlowTarget;
import dev.carillon.model.NodeInfo;
import dev.carillon.model.RunId;
import dev.carillon.model.RunState;
import dev.carillon.policy.Overlap;
import dev.carillon.testing.ManualCarillon;
import dev.carillon.testing.RecordingTarget;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.IntStream;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Several nodes on one database: who runs what, and how much of it. */
@ExtendWith(EmbeddedPostgres.class)
class ManyNodesTest {
  /* More than three claims take, also on a machine on which handlers are over at once. */
  private static final int FLOOD = 15_000;

  private static final Duration LEASE = Duration.ofSeconds(15);

  private final Chime chime;
  private final RecordingTarget bell;
  private final SlowTarget slow;

  ManyNodesTest(DataSource postgres) {
    chime = new Chime(postgres);
    bell = chime.bell;
    slow = chime.slow;
  }

  @AfterEach
  void close() {
    chime.close();
  }

  @Test
  void no_run_is_started_by_two_nodes() {
    ManualCarillon one = chime.node();
    ManualCarillon other = chime.node();
    List<RunId> ids = one.runs().enqueueAll(many(500, "bell"));
    for (int i = 0; i < 10; i++) {
      one.turn(EngineLoop.CLAIMING);
      other.turn(EngineLoop.CLAIMING);
      one.turn(EngineLoop.COMPLETION);
      other.turn(EngineLoop.COMPLETION);
    }

    assertThat(bell.runs()).doesNotHaveDuplicates().hasSameElementsAs(ids);
  }

  @Test
  void nodes_that_claim_at_the_same_time_never_start_the_same_run() throws Exception {
    ManualCarillon one = chime.node();
    ManualCarillon other = chime.node();
    one.runs().enqueueAll(many(1_000, "bell"));
    var threads = new ArrayList<Thread>();
    for (ManualCarillon node : List.of(one, other)) {
      var thread = new Thread(node::runDue);
      threads.add(thread);
      thread.start();
    }
    for (Thread thread : threads) {
      thread.join();
    }

    assertThat(bell.runs()).doesNotHaveDuplicates().hasSize(1_000);
  }

  @Test
  void no_slot_is_planned_by_two_nodes() {
    ManualCarillon one = chime.node();
    ManualCarillon other = chime.node();
    one.schedules()
        .create(
            ScheduleDraft.named("secondly")
                .target("bell")
                .every(Duration.ofSeconds(1))
                .overlap(Overlap.ALLOW));
    chime.belfry.pass(Duration.ofSeconds(40), one, other);

    assertThat(bell.slots()).doesNotHaveDuplicates().hasSize(40);
  }

  @Test
  void a_node_takes_no_more_than_it_has_room_for() {
    ManualCarillon small = small();
    small.runs().enqueueAll(many(10, "slow"));
    small.runDue();

    assertThat(slow.calls()).hasSize(3);
  }

  @Test
  void a_burst_of_quick_runs_is_shared_among_nodes() {
    ManualCarillon one = small();
    ManualCarillon other = small();
    one.runs().enqueue(RunDraft.of("slow"));
    one.runDue();
    slow.last().succeed();
    chime.belfry.pass(LEASE.dividedBy(2), one, other);
    List<RunId> ids = one.runs().enqueueAll(many(3_000, "slow"));
    one.runDue();
    other.runDue();

    assertThat(ids).filteredOn(id -> run(one, id).node().equals(nodeOf(one))).hasSize(2_001);
    slow.calls().forEach(SlowTarget.Call::succeed);
  }

  private static Optional<UUID> nodeOf(ManualCarillon node) {
    return Optional.of(node.carillon().nodeId());
  }

  private ManualCarillon small() {
    return chime.belfry.node(builder -> builder.asyncTarget("slow", slow).concurrency(3));
  }

  @Test
  void a_node_takes_more_when_it_has_room_again() {
    ManualCarillon small = small();
    small.runs().enqueueAll(many(10, "slow"));
    small.runDue();
    slow.call(1).succeed();
    small.runDue();

    assertThat(slow.calls()).hasSize(4);
  }

  @Test
  void a_target_takes_no_more_than_it_has_room_for() {
    ManualCarillon node =
        chime.belfry.node(builder -> builder.asyncTarget("slow", slow, 2).target("bell", bell));
    node.runs().enqueueAll(many(10, "slow"));
    node.runs().enqueueAll(many(10, "bell"));
    node.runDue();

    assertThat(slow.calls()).hasSize(2);
    assertThat(bell.calls()).hasSize(10);
  }

  @Test
  void what_a_full_node_leaves_is_taken_by_another() {
    ManualCarillon small = small();
    ManualCarillon other = chime.node();
    small.runs().enqueueAll(many(10, "slow"));
    small.runDue();
    other.runDue();

    assertThat(slow.runs()).doesNotHaveDuplicates().hasSize(10);
  }

  @Test
  void a_node_leaves_what_it_has_no_target_for() {
    ManualCarillon other =
        chime.belfry.node(builder -> builder.target("bell", bell).remoteTarget("slow"));
    RunId id = other.runs().enqueue(RunDraft.of("slow"));
    other.runDue();

    assertThat(run(other, id).state()).isEqualTo(RunState.PENDING);
  }

  @Test
  void a_flood_of_one_target_does_not_hold_up_another() {
    ManualCarillon node = chime.node();
    node.runs().enqueueAll(many(5_000, "bell"));
    node.turn(EngineLoop.CLAIMING);
    node.turn(EngineLoop.CLAIMING);
    node.turn(EngineLoop.COMPLETION);
    chime.belfry.clock().advance(Duration.ofMillis(10));
    node.runs().enqueue(RunDraft.of("slow"));
    node.turn(EngineLoop.CLAIMING);

    assertThat(slow.calls()).hasSize(1);
  }

  @Test
  void a_flood_of_one_schedule_does_not_hold_up_another_of_the_same_target() {
    ManualCarillon node = chime.node();
    node.runs().enqueueAll(many(FLOOD, "bell"));
    node.schedules()
        .create(ScheduleDraft.named("often").target("bell").every(Duration.ofSeconds(10)));
    node.turn(EngineLoop.PLANNING);
    chime.belfry.clock().advance(Duration.ofMillis(9_900));
    node.turn(EngineLoop.CLAIMING);
    node.turn(EngineLoop.COMPLETION);
    chime.belfry.clock().advance(Duration.ofMillis(100));
    node.turn(EngineLoop.CLAIMING);
    node.turn(EngineLoop.COMPLETION);
    node.turn(EngineLoop.CLAIMING);

    assertThat(bell.calls()).hasSizeLessThan(FLOOD);
    assertThat(bell.calls()).anyMatch(call -> call.schedule().isPresent());
  }

  @Test
  void pending_runs_of_before_a_crash_run_when_a_node_is_back() {
    ManualCarillon before = chime.node();
    List<RunId> ids = before.runs().enqueueAll(many(3, "bell"));
    chime.belfry.clock().advance(Duration.ofMinutes(30));
    ManualCarillon after = chime.node();
    after.runDue();

    assertThat(new HashSet<>(bell.runs())).isEqualTo(new HashSet<>(ids));
  }

  @Test
  void nodes_are_listed_with_their_leases() {
    ManualCarillon one =
        chime.belfry.node(builder -> builder.nodeName("tower").target("bell", bell));

    assertThat(one.carillon().nodes())
        .singleElement()
        .satisfies(
            info -> {
              assertThat(info.name()).isEqualTo("tower");
              assertThat(info.id()).isEqualTo(one.carillon().nodeId());
              assertThat(info.leaseUntil()).isEqualTo(chime.belfry.clock().instant().plus(LEASE));
            });
  }

  @Test
  void a_node_that_joins_again_and_again_is_listed_once() {
    ManualCarillon one = chime.node();
    IntStream.range(0, 5)
        .forEach(
            i -> {
              chime.belfry.clock().advance(LEASE);
              one.turn(EngineLoop.HEARTBEAT);
            });

    assertThat(one.carillon().nodes()).extracting(NodeInfo::epoch).containsExactly(6L);
  }
}
