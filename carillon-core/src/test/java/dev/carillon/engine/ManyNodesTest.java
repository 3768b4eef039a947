package dev.carillon.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.carillon.Carillon;
import dev.carillon.RunDraft;
import dev.carillon.ScheduleDraft;
import dev.carillon.event.Event;
import dev.carillon.fixture.Belfry;
import dev.carillon.fixture.EmbeddedPostgres;
import dev.carillon.fixture.SlowTarget;
import dev.carillon.fixture.Wiretap;
import dev.carillon.model.NodeInfo;
import dev.carillon.model.Run;
import dev.carillon.model.RunId;
import dev.carillon.model.RunState;
import dev.carillon.policy.Overlap;
import dev.carillon.store.StoreException;
import dev.carillon.target.StopReason;
import dev.carillon.testing.ManualCarillon;
import dev.carillon.testing.RecordingTarget;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Queue;
import java.util.stream.IntStream;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Several nodes on one database: who runs what, and what happens when one is lost. */
@ExtendWith(EmbeddedPostgres.class)
class ManyNodesTest {
  private static final Duration LEASE = Duration.ofSeconds(15);
  private static final Duration SCAN = Duration.ofMillis(2_500);

  private final DataSource postgres;
  private final Belfry belfry;
  private final RecordingTarget bell = new RecordingTarget();
  private final SlowTarget slow = new SlowTarget();

  ManyNodesTest(DataSource postgres) {
    this.postgres = postgres;
    belfry = new Belfry(postgres);
  }

  @AfterEach
  void close() {
    belfry.close();
  }

  private ManualCarillon node() {
    return belfry.node(builder -> builder.asynchronous("slow", slow).target("bell", bell));
  }

  private static List<RunDraft> many(int count, String target) {
    return Collections.nCopies(count, RunDraft.of(target));
  }

  private static Run run(ManualCarillon node, RunId id) {
    return node.runs().get(id).orElseThrow();
  }

  private static <T extends Event> List<T> events(ManualCarillon node, Class<T> type) {
    return node.events().stream().filter(type::isInstance).map(type::cast).toList();
  }

  @Test
  void no_run_is_started_by_two_nodes() {
    ManualCarillon one = node();
    ManualCarillon other = node();
    List<RunId> ids = one.runs().enqueueAll(many(500, "bell"));
    for (int i = 0; i < 10; i++) {
      one.turn("claiming");
      other.turn("claiming");
      one.turn("completion");
      other.turn("completion");
    }

    assertThat(bell.runs()).doesNotHaveDuplicates().hasSameElementsAs(ids);
  }

  @Test
  void nodes_that_claim_at_the_same_time_never_start_the_same_run() throws Exception {
    ManualCarillon one = node();
    ManualCarillon other = node();
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
    ManualCarillon one = node();
    ManualCarillon other = node();
    one.schedules()
        .create(
            ScheduleDraft.named("secondly")
                .target("bell")
                .every(Duration.ofSeconds(1))
                .overlap(Overlap.ALLOW));
    belfry.pass(Duration.ofSeconds(40), one, other);

    assertThat(bell.slots()).doesNotHaveDuplicates().hasSize(40);
  }

  @Test
  void a_node_takes_no_more_than_it_has_room_for() {
    ManualCarillon small =
        belfry.node(builder -> builder.asynchronous("slow", slow).concurrency(3));
    small.runs().enqueueAll(many(10, "slow"));
    small.runDue();

    assertThat(slow.calls()).hasSize(3);
  }

  @Test
  void a_node_takes_more_when_it_has_room_again() {
    ManualCarillon small =
        belfry.node(builder -> builder.asynchronous("slow", slow).concurrency(3));
    small.runs().enqueueAll(many(10, "slow"));
    small.runDue();
    slow.call(1).succeed();
    small.runDue();

    assertThat(slow.calls()).hasSize(4);
  }

  @Test
  void a_target_takes_no_more_than_it_has_room_for() {
    ManualCarillon node =
        belfry.node(builder -> builder.asynchronous("slow", slow, 2).target("bell", bell));
    node.runs().enqueueAll(many(10, "slow"));
    node.runs().enqueueAll(many(10, "bell"));
    node.runDue();

    assertThat(slow.calls()).hasSize(2);
    assertThat(bell.calls()).hasSize(10);
  }

  @Test
  void what_a_full_node_leaves_is_taken_by_another() {
    ManualCarillon small =
        belfry.node(builder -> builder.asynchronous("slow", slow).concurrency(3));
    ManualCarillon other = node();
    small.runs().enqueueAll(many(10, "slow"));
    small.runDue();
    other.runDue();

    assertThat(slow.runs()).doesNotHaveDuplicates().hasSize(10);
  }

  @Test
  void a_node_leaves_what_it_has_no_target_for() {
    ManualCarillon other =
        belfry.node(builder -> builder.target("bell", bell).targetElsewhere("slow"));
    RunId id = other.runs().enqueue(RunDraft.of("slow"));
    other.runDue();

    assertThat(run(other, id).state()).isEqualTo(RunState.PENDING);
  }

  @Test
  void a_flood_of_one_target_does_not_hold_up_another() {
    ManualCarillon node = node();
    node.runs().enqueueAll(many(5_000, "bell"));
    node.turn("claiming");
    node.turn("claiming");
    node.turn("completion");
    belfry.clock().advance(Duration.ofMillis(10));
    node.runs().enqueue(RunDraft.of("slow"));
    node.turn("claiming");

    assertThat(slow.calls()).hasSize(1);
  }

  @Test
  void a_flood_of_one_schedule_does_not_hold_up_another_of_the_same_target() {
    ManualCarillon node = node();
    node.runs().enqueueAll(many(5_000, "bell"));
    node.schedules()
        .create(ScheduleDraft.named("often").target("bell").every(Duration.ofSeconds(10)));
    node.turn("planning");
    belfry.clock().advance(Duration.ofMillis(9_900));
    node.turn("claiming");
    node.turn("completion");
    belfry.clock().advance(Duration.ofMillis(100));
    node.turn("claiming");
    node.turn("completion");
    node.turn("claiming");

    assertThat(bell.calls()).hasSizeLessThan(5_000);
    assertThat(bell.calls()).anyMatch(call -> call.schedule().isPresent());
  }

  @Test
  void the_run_of_a_lost_node_is_run_by_another_soon_after_the_lease() {
    ManualCarillon lost = node();
    RunId id = lost.runs().enqueue(RunDraft.of("slow"));
    lost.runDue();
    ManualCarillon other = node();
    belfry.clock().advance(LEASE.plus(SCAN).plus(SCAN));
    other.runDue();

    assertThat(run(other, id).node()).contains(other.carillon().node());
    assertThat(run(other, id).attempt()).isEqualTo(2);
    assertThat(run(other, id).attempts())
        .extracting(attempt -> attempt.failure().code())
        .containsExactly("node_lost");
  }

  @Test
  void a_node_that_is_merely_late_keeps_its_runs() {
    ManualCarillon late = node();
    RunId id = late.runs().enqueue(RunDraft.of("slow"));
    late.runDue();
    ManualCarillon other = node();
    belfry.clock().advance(LEASE.minusMillis(1));
    other.runDue();
    late.runDue();

    assertThat(run(other, id).attempt()).isEqualTo(1);
  }

  @Test
  void work_that_is_done_at_most_once_has_failed_with_its_node() {
    ManualCarillon lost = node();
    RunId id = lost.runs().enqueue(RunDraft.of("slow").atMostOnce());
    lost.runDue();
    ManualCarillon other = node();
    belfry.clock().advance(LEASE);
    other.runDue();

    assertThat(run(other, id).state()).isEqualTo(RunState.FAILED);
    assertThat(run(other, id).failure().orElseThrow().code()).isEqualTo("node_lost");
    assertThat(slow.calls()).hasSize(1);
  }

  @Test
  void a_run_that_loses_three_nodes_is_a_dead_letter() {
    RunId id = node().runs().enqueue(RunDraft.of("slow"));
    for (int i = 0; i < 3; i++) {
      node().runDue();
      belfry.clock().advance(LEASE);
    }
    ManualCarillon last = node();
    last.runDue();

    assertThat(last.runs().deadLetters(10)).extracting(Run::id).containsExactly(id);
    assertThat(run(last, id).attempt()).isEqualTo(3);
  }

  @Test
  void the_loss_of_a_node_is_told_once_with_what_became_of_its_runs() {
    ManualCarillon lost = node();
    RunId again = lost.runs().enqueue(RunDraft.of("slow"));
    RunId over = lost.runs().enqueue(RunDraft.of("slow").atMostOnce());
    lost.runDue();
    ManualCarillon other = node();
    ManualCarillon third = node();
    belfry.pass(LEASE, other, third);
    belfry.pass(LEASE, third, other);

    var told = new ArrayList<Event>();
    told.addAll(other.events());
    told.addAll(third.events());
    assertThat(told)
        .filteredOn(Event.NodeLost.class::isInstance)
        .singleElement()
        .isInstanceOfSatisfying(
            Event.NodeLost.class,
            event -> {
              assertThat(event.node()).isEqualTo(lost.carillon().node());
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
    ManualCarillon lost = node();
    RunId id = lost.runs().enqueue(RunDraft.of("slow"));
    lost.runDue();
    ManualCarillon other = node();
    other.runs().cancel(id, "not needed");
    belfry.clock().advance(LEASE);
    other.runDue();

    assertThat(run(other, id).state()).isEqualTo(RunState.CANCELED);
    assertThat(run(other, id).reason()).contains("not needed");
  }

  @Test
  void what_a_thawed_node_reports_changes_nothing() {
    ManualCarillon frozen = node();
    RunId id = frozen.runs().enqueue(RunDraft.of("slow"));
    frozen.runDue();
    ManualCarillon other = node();
    belfry.clock().advance(LEASE);
    other.runDue();
    slow.call(0).succeed();
    frozen.turn("completion");

    assertThat(run(other, id).state()).isEqualTo(RunState.RUNNING);
    assertThat(events(frozen, Event.Fenced.class)).hasSize(1);
  }

  @Test
  void a_thawed_node_tells_its_handlers_that_nothing_counts_any_more() {
    ManualCarillon frozen = node();
    frozen.runs().enqueue(RunDraft.of("slow"));
    frozen.runDue();
    ManualCarillon other = node();
    belfry.clock().advance(LEASE);
    other.runDue();
    frozen.turn("heartbeat");

    assertThat(slow.call(0).stops()).containsExactly(StopReason.FENCED);
  }

  @Test
  void a_thawed_node_joins_again_in_a_new_epoch() {
    ManualCarillon frozen = node();
    ManualCarillon other = node();
    belfry.clock().advance(LEASE);
    other.runDue();
    frozen.runDue();

    assertThat(frozen.carillon().nodes())
        .filteredOn(info -> info.id().equals(frozen.carillon().node()))
        .extracting(NodeInfo::epoch)
        .containsExactly(2L);
  }

  @Test
  void a_thawed_node_has_room_again_for_what_was_taken_from_it() {
    ManualCarillon frozen =
        belfry.node(builder -> builder.asynchronous("slow", slow).concurrency(1));
    frozen.runs().enqueueAll(many(3, "slow"));
    frozen.runDue();
    belfry.clock().advance(LEASE);
    frozen.runDue();

    assertThat(slow.calls()).hasSize(2);
  }

  @Test
  void a_thawed_node_claims_nothing_before_it_has_joined_again() {
    ManualCarillon frozen = node();
    frozen.runs().enqueue(RunDraft.of("bell"));
    belfry.clock().advance(LEASE);
    frozen.turn("claiming");
    frozen.turn("planning");

    assertThat(bell.calls()).isEmpty();
  }

  @Test
  void a_handler_that_fails_when_told_to_stop_does_not_keep_others_from_being_told() {
    var told = new ArrayList<RunId>();
    ManualCarillon frozen =
        belfry.node(
            builder ->
                builder.asynchronous(
                    "odd",
                    (context, done) ->
                        context.onStop(
                            reason -> {
                              told.add(context.id());
                              throw new IllegalStateException("no ear");
                            })));
    frozen.runs().enqueueAll(many(3, "odd"));
    frozen.runDue();
    belfry.clock().advance(LEASE);
    frozen.turn("heartbeat");

    assertThat(told).hasSize(3);
  }

  @Test
  void one_node_has_the_duty_of_housekeeping() {
    ManualCarillon one = node();
    ManualCarillon other = node();
    one.turn("housekeeping");
    other.turn("housekeeping");

    assertThat(events(one, Event.Leading.class))
        .extracting(Event.Leading::holds)
        .containsExactly(true);
    assertThat(events(other, Event.Leading.class)).isEmpty();
  }

  @Test
  void a_duty_that_is_renewed_is_kept() {
    ManualCarillon one = node();
    ManualCarillon other = node();
    for (int i = 0; i < 10; i++) {
      one.turn("heartbeat");
      other.turn("heartbeat");
      one.turn("housekeeping");
      other.turn("housekeeping");
      belfry.clock().advance(Duration.ofSeconds(5));
    }

    assertThat(events(other, Event.Leading.class)).isEmpty();
  }

  @Test
  void a_duty_is_taken_over_when_its_lease_is_over() {
    ManualCarillon one = node();
    ManualCarillon other = node();
    one.turn("housekeeping");
    belfry.clock().advance(LEASE);
    other.turn("heartbeat");
    other.turn("housekeeping");
    one.turn("housekeeping");

    assertThat(events(other, Event.Leading.class))
        .extracting(Event.Leading::holds)
        .containsExactly(true);
    assertThat(events(one, Event.Leading.class))
        .extracting(Event.Leading::holds)
        .containsExactly(true, false);
  }

  @Test
  void a_node_that_leaves_gives_its_duty_up_at_once() {
    ManualCarillon one = node();
    ManualCarillon other = node();
    one.turn("housekeeping");
    one.close();
    other.turn("housekeeping");

    assertThat(events(other, Event.Leading.class))
        .extracting(Event.Leading::holds)
        .containsExactly(true);
  }

  @Test
  void what_a_leaving_node_has_in_hand_is_run_by_others_at_once() {
    ManualCarillon leaving = node();
    RunId id = leaving.runs().enqueue(RunDraft.of("slow"));
    leaving.runDue();
    ManualCarillon other = node();
    leaving.close();
    other.runDue();

    assertThat(run(other, id).node()).contains(other.carillon().node());
  }

  /* A node whose workers do nothing until they are told to, so that what it claims is unstarted. */
  private final class Busy {
    final Queue<Runnable> waiting = new ArrayDeque<>();
    final List<Engine> engines = new ArrayList<>();
    final Carillon carillon =
        Carillon.builder()
            .dataSource(postgres)
            .migrate(false)
            .asynchronous("slow", slow)
            .buildManual(belfry.clock(), waiting::add, engines::add);

    Engine engine() {
      return engines.get(0);
    }
  }

  @Test
  void a_node_whose_lease_is_over_starts_nothing_of_what_it_has_claimed() {
    var busy = new Busy();
    busy.carillon.start();
    RunId id = busy.carillon.runs().enqueue(RunDraft.of("slow"));
    busy.engine().turn("claiming");
    belfry.clock().advance(LEASE);
    busy.waiting.remove().run();
    busy.engine().turn("completion");

    assertThat(slow.calls()).isEmpty();
    assertThat(busy.carillon.runs().get(id).map(Run::state)).contains(RunState.PENDING);
  }

  @Test
  void a_stopping_node_gives_back_what_it_has_not_started() {
    var busy = new Busy();
    busy.carillon.start();
    RunId id = busy.carillon.runs().enqueue(RunDraft.of("slow"));
    busy.engine().turn("claiming");
    busy.engine().giveBack();
    ManualCarillon other = node();
    other.runDue();

    assertThat(run(other, id).attempt()).isEqualTo(1);
    assertThat(run(other, id).node()).contains(other.carillon().node());
    assertThat(run(other, id).attempts()).isEmpty();
    busy.carillon.close();
  }

  @Test
  void what_was_given_back_is_not_started_by_the_node_that_gave_it_back() {
    var busy = new Busy();
    busy.carillon.start();
    busy.carillon.runs().enqueue(RunDraft.of("slow"));
    busy.engine().turn("claiming");
    busy.engine().giveBack();
    busy.waiting.forEach(Runnable::run);

    assertThat(slow.calls()).isEmpty();
    busy.carillon.close();
  }

  @Test
  void a_lane_is_free_when_its_holder_was_given_back() {
    var busy = new Busy();
    busy.carillon.start();
    busy.carillon
        .schedules()
        .create(ScheduleDraft.named("minutely").target("slow").cron("* * * * *"));
    RunId id = busy.carillon.schedules().runNow("minutely").orElseThrow().id();
    busy.engine().turn("claiming");
    busy.engine().giveBack();
    ManualCarillon other = node();
    other.runDue();

    assertThat(run(other, id).state()).isEqualTo(RunState.RUNNING);
    busy.carillon.close();
  }

  @Test
  void a_canceled_run_that_is_given_back_is_over() {
    var busy = new Busy();
    busy.carillon.start();
    RunId id = busy.carillon.runs().enqueue(RunDraft.of("slow"));
    busy.engine().turn("claiming");
    busy.carillon.runs().cancel(id, "not needed");
    busy.engine().giveBack();

    assertThat(busy.carillon.runs().get(id).orElseThrow().state()).isEqualTo(RunState.CANCELED);
    busy.carillon.close();
  }

  @Test
  void a_run_that_is_canceled_before_its_handler_was_called_is_never_started() {
    var busy = new Busy();
    busy.carillon.start();
    RunId id = busy.carillon.runs().enqueue(RunDraft.of("slow"));
    busy.engine().turn("claiming");
    busy.carillon.runs().cancel(id, "not needed");
    busy.engine().turn("heartbeat");
    busy.waiting.forEach(Runnable::run);
    busy.engine().turn("completion");

    assertThat(slow.calls()).isEmpty();
    assertThat(busy.carillon.runs().get(id).orElseThrow().state()).isEqualTo(RunState.CANCELED);
    busy.carillon.close();
  }

  @Test
  void time_spent_waiting_for_a_worker_is_no_part_of_the_timeout() {
    var busy = new Busy();
    busy.carillon.start();
    busy.carillon.runs().enqueue(RunDraft.of("slow").timeout(Duration.ofSeconds(2)));
    busy.engine().turn("claiming");
    belfry.clock().advance(Duration.ofSeconds(10));
    busy.engine().turn("heartbeat");
    busy.engine().turn("timeouts");
    busy.waiting.forEach(Runnable::run);

    assertThat(slow.calls()).hasSize(1);
    assertThat(slow.last().context().deadline()).contains(belfry.clock().instant().plusSeconds(2));
    busy.carillon.close();
  }

  @Test
  void a_claim_whose_commit_was_not_confirmed_is_given_back_and_run_once() {
    var tap = new Wiretap(postgres);
    ManualCarillon shaky = belfry.nodeOn(tap.dataSource(), builder -> builder.target("bell", bell));
    RunId id = shaky.runs().enqueue(RunDraft.of("bell"));
    tap.loseNextConfirmation();
    assertThat(failure(shaky)).isInstanceOf(StoreException.class);
    assertThat(run(shaky, id).state()).isEqualTo(RunState.RUNNING);
    shaky.runDue();

    assertThat(bell.runs()).containsExactly(id);
    assertThat(run(shaky, id).state()).isEqualTo(RunState.SUCCEEDED);
    assertThat(run(shaky, id).attempt()).isEqualTo(1);
  }

  private static Throwable failure(ManualCarillon node) {
    try {
      node.turn("claiming");
    } catch (StoreException e) {
      return e;
    }
    return new AssertionError("nothing failed");
  }

  @Test
  void an_end_whose_commit_was_not_confirmed_is_recorded_once() {
    var tap = new Wiretap(postgres);
    ManualCarillon shaky =
        belfry.nodeOn(tap.dataSource(), builder -> builder.asynchronous("slow", slow));
    RunId id = shaky.runs().enqueue(RunDraft.of("slow"));
    shaky.runDue();
    slow.last().succeed();
    tap.loseNextConfirmation();
    try {
      shaky.turn("completion");
    } catch (StoreException expected) {
      assertThat(expected.isTransient()).isTrue();
    }
    shaky.runDue();

    assertThat(run(shaky, id).state()).isEqualTo(RunState.SUCCEEDED);
    assertThat(slow.calls()).hasSize(1);
  }

  @Test
  void pending_runs_of_before_a_crash_run_when_a_node_is_back() {
    ManualCarillon before = node();
    List<RunId> ids = before.runs().enqueueAll(many(3, "bell"));
    belfry.clock().advance(Duration.ofMinutes(30));
    ManualCarillon after = node();
    after.runDue();

    assertThat(new HashSet<>(bell.runs())).isEqualTo(new HashSet<>(ids));
  }

  @Test
  void nodes_are_listed_with_their_leases() {
    ManualCarillon one = belfry.node(builder -> builder.nodeName("tower").target("bell", bell));

    assertThat(one.carillon().nodes())
        .singleElement()
        .satisfies(
            info -> {
              assertThat(info.name()).isEqualTo("tower");
              assertThat(info.id()).isEqualTo(one.carillon().node());
              assertThat(info.leaseUntil()).isEqualTo(belfry.clock().instant().plus(LEASE));
            });
  }

  @Test
  void a_node_that_joins_again_and_again_is_listed_once() {
    ManualCarillon one = node();
    IntStream.range(0, 5)
        .forEach(
            i -> {
              belfry.clock().advance(LEASE);
              one.turn("heartbeat");
            });

    assertThat(one.carillon().nodes()).extracting(NodeInfo::epoch).containsExactly(6L);
  }
}
