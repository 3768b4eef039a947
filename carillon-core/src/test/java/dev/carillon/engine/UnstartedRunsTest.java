package dev.carillon.engine;

import static dev.carillon.engine.Chime.run;
import static org.assertj.core.api.Assertions.assertThat;

import dev.carillon.Carillon;
import dev.carillon.RunDraft;
import dev.carillon.ScheduleDraft;
import dev.carillon.event.EngineLoop;
import dev.carillon.fixture.EmbeddedPostgres;
import dev.carillon.fixture.SlowTarget;
import dev.carillon.fixture.Wiretap;
import dev.carillon.model.Run;
import dev.carillon.model.RunId;
import dev.carillon.model.RunState;
import dev.carillon.store.jdbc.StoreException;
import dev.carillon.testing.ManualCarillon;
import dev.carillon.testing.RecordingTarget;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.UUID;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Runs that a node has claimed and does not start, or does not know that it has. */
@ExtendWith(EmbeddedPostgres.class)
class UnstartedRunsTest {
  private static final Duration LEASE = Duration.ofSeconds(15);

  private final DataSource postgres;
  private final Chime chime;
  private final RecordingTarget bell;
  private final SlowTarget slow;

  UnstartedRunsTest(DataSource postgres) {
    this.postgres = postgres;
    chime = new Chime(postgres);
    bell = chime.bell;
    slow = chime.slow;
  }

  @AfterEach
  void close() {
    chime.close();
  }

  @Test
  void what_a_leaving_node_has_in_hand_is_run_by_others_at_once() {
    ManualCarillon leaving = chime.node();
    RunId id = leaving.runs().enqueue(RunDraft.of("slow"));
    leaving.runDue();
    ManualCarillon other = chime.node();
    leaving.close();
    other.runDue();

    assertThat(run(other, id).node()).contains(other.carillon().nodeId());
  }

  @Test
  void quick_runs_that_turn_slow_are_not_kept_from_other_nodes() {
    ManualCarillon small =
        chime.belfry.node(builder -> builder.asyncTarget("slow", slow).concurrency(2));
    small.runs().enqueueAll(Chime.many(5, "slow"));
    for (int i = 0; i < 5; i++) {
      small.runDue();
      slow.calls().forEach(SlowTarget.Call::succeed);
    }
    small.runDue();
    List<RunId> ids = small.runs().enqueueAll(Chime.many(500, "slow"));
    small.runDue();
    ManualCarillon other =
        chime.belfry.node(builder -> builder.asyncTarget("slow", slow).concurrency(1_000));
    other.runDue();
    assertThat(ids).extracting(id -> run(small, id).node()).containsOnly(node(small));

    chime.belfry.clock().advance(Duration.ofSeconds(3));
    small.runDue();
    other.runDue();

    assertThat(ids).filteredOn(id -> run(small, id).node().equals(node(small))).hasSize(2);
    assertThat(ids).filteredOn(id -> run(small, id).node().equals(node(other))).hasSize(498);
    assertThat(ids).extracting(id -> run(small, id).attempt()).containsOnly(1);
    assertThat(slow.calls()).hasSize(505);
  }

  private static Optional<UUID> node(ManualCarillon node) {
    return Optional.of(node.carillon().nodeId());
  }

  /* A node whose workers do nothing until they are told to, so that what it claims is unstarted. */
  private final class Busy {
    final Queue<Runnable> waiting = new ArrayDeque<>();
    final List<Engine> engines = new ArrayList<>();
    final Carillon carillon =
        Carillon.builder()
            .dataSource(postgres)
            .migrate(false)
            .asyncTarget("slow", slow)
            .buildManual(chime.belfry.clock(), waiting::add, engines::add);

    Engine engine() {
      return engines.get(0);
    }
  }

  @Test
  void a_node_whose_lease_is_over_starts_nothing_of_what_it_has_claimed() {
    var busy = new Busy();
    busy.carillon.start();
    RunId id = busy.carillon.runs().enqueue(RunDraft.of("slow"));
    busy.engine().turn(EngineLoop.CLAIMING);
    chime.belfry.clock().advance(LEASE);
    busy.waiting.remove().run();
    busy.engine().turn(EngineLoop.COMPLETION);

    assertThat(slow.calls()).isEmpty();
    assertThat(busy.carillon.runs().get(id).map(Run::state)).contains(RunState.PENDING);
  }

  @Test
  void a_stopping_node_gives_back_what_it_has_not_started() {
    var busy = new Busy();
    busy.carillon.start();
    RunId id = busy.carillon.runs().enqueue(RunDraft.of("slow"));
    busy.engine().turn(EngineLoop.CLAIMING);
    busy.engine().departure().giveBack();
    ManualCarillon other = chime.node();
    other.runDue();

    assertThat(run(other, id).attempt()).isEqualTo(1);
    assertThat(run(other, id).node()).contains(other.carillon().nodeId());
    assertThat(run(other, id).attempts()).isEmpty();
    busy.carillon.close();
  }

  @Test
  void what_was_given_back_is_not_started_by_the_node_that_gave_it_back() {
    var busy = new Busy();
    busy.carillon.start();
    busy.carillon.runs().enqueue(RunDraft.of("slow"));
    busy.engine().turn(EngineLoop.CLAIMING);
    busy.engine().departure().giveBack();
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
    busy.engine().turn(EngineLoop.CLAIMING);
    busy.engine().departure().giveBack();
    ManualCarillon other = chime.node();
    other.runDue();

    assertThat(run(other, id).state()).isEqualTo(RunState.RUNNING);
    busy.carillon.close();
  }

  @Test
  void a_canceled_run_that_is_given_back_is_over() {
    var busy = new Busy();
    busy.carillon.start();
    RunId id = busy.carillon.runs().enqueue(RunDraft.of("slow"));
    busy.engine().turn(EngineLoop.CLAIMING);
    busy.carillon.runs().cancel(id, "not needed");
    busy.engine().departure().giveBack();

    assertThat(busy.carillon.runs().get(id).orElseThrow().state()).isEqualTo(RunState.CANCELED);
    busy.carillon.close();
  }

  @Test
  void a_run_that_is_canceled_before_its_handler_was_called_is_never_started() {
    var busy = new Busy();
    busy.carillon.start();
    RunId id = busy.carillon.runs().enqueue(RunDraft.of("slow"));
    busy.engine().turn(EngineLoop.CLAIMING);
    busy.carillon.runs().cancel(id, "not needed");
    busy.engine().turn(EngineLoop.HEARTBEAT);
    busy.waiting.forEach(Runnable::run);
    busy.engine().turn(EngineLoop.COMPLETION);

    assertThat(slow.calls()).isEmpty();
    assertThat(busy.carillon.runs().get(id).orElseThrow().state()).isEqualTo(RunState.CANCELED);
    busy.carillon.close();
  }

  @Test
  void a_short_wait_for_a_worker_is_no_part_of_the_timeout() {
    var busy = new Busy();
    busy.carillon.start();
    busy.carillon.runs().enqueue(RunDraft.of("slow").timeout(Duration.ofSeconds(2)));
    busy.engine().turn(EngineLoop.CLAIMING);
    chime.belfry.clock().advance(Duration.ofSeconds(5));
    busy.engine().turn(EngineLoop.HEARTBEAT);
    busy.engine().turn(EngineLoop.TIMEOUTS);
    busy.waiting.forEach(Runnable::run);

    assertThat(slow.calls()).hasSize(1);
    assertThat(slow.last().context().deadline())
        .contains(chime.belfry.clock().instant().plusSeconds(2));
    busy.carillon.close();
  }

  @Test
  void a_claim_whose_commit_was_not_confirmed_is_given_back_and_run_once() {
    var tap = new Wiretap(postgres);
    ManualCarillon shaky =
        chime.belfry.nodeOn(tap.dataSource(), builder -> builder.target("bell", bell));
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
      node.turn(EngineLoop.CLAIMING);
    } catch (StoreException e) {
      return e;
    }
    return new AssertionError("nothing failed");
  }

  @Test
  void an_end_whose_commit_was_not_confirmed_is_recorded_once() {
    var tap = new Wiretap(postgres);
    ManualCarillon shaky =
        chime.belfry.nodeOn(tap.dataSource(), builder -> builder.asyncTarget("slow", slow));
    RunId id = shaky.runs().enqueue(RunDraft.of("slow"));
    shaky.runDue();
    slow.last().succeed();
    tap.loseNextConfirmation();
    try {
      shaky.turn(EngineLoop.COMPLETION);
    } catch (StoreException expected) {
      assertThat(expected.isTransient()).isTrue();
    }
    shaky.runDue();

    assertThat(run(shaky, id).state()).isEqualTo(RunState.SUCCEEDED);
    assertThat(slow.calls()).hasSize(1);
  }
}
