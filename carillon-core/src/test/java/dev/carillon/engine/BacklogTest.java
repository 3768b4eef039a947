package dev.carillon.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.carillon.RunDraft;
import dev.carillon.fixture.EmbeddedPostgres;
import dev.carillon.fixture.SlowTarget;
import dev.carillon.fixture.UnsizedPool;
import dev.carillon.model.RunId;
import dev.carillon.model.RunState;
import dev.carillon.testing.ManualCarillon;
import java.time.Duration;
import java.util.List;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** More runs that are due than a node has room for. */
@ExtendWith(EmbeddedPostgres.class)
class BacklogTest {
  private static final int ROOM = 100;

  private final Chime chime;
  private final SlowTarget slow;
  private final ManualCarillon node;

  BacklogTest(DataSource postgres) {
    chime = new Chime(UnsizedPool.of(postgres));
    slow = chime.slow;
    node = chime.belfry.node(builder -> builder.asyncTarget("slow", slow).concurrency(ROOM));
  }

  @AfterEach
  void close() {
    chime.close();
  }

  /* So that none is held ready beside those that run. */
  private void learnThatRunsTakeLong() {
    node.runs().enqueue(RunDraft.of("slow"));
    node.runDue();
    chime.belfry.clock().advance(Duration.ofSeconds(14));
    end(0);
  }

  private List<RunId> backlog(int runs) {
    learnThatRunsTakeLong();
    List<RunId> ids = node.runs().enqueueAll(Chime.many(runs, "slow"));
    node.runDue();
    return ids;
  }

  private void end(int call) {
    slow.calls().get(call).succeed();
    node.runDue();
  }

  private RunState state(RunId id) {
    return Chime.run(node, id).state();
  }

  @Test
  void what_runs_already_is_not_read_again_for_each_claim() {
    backlog(2 * ROOM);
    long before = entriesRead();
    for (int call = 1; call <= 50; call++) {
      end(call);
    }

    assertThat(slow.calls()).hasSize(1 + ROOM + 50);
    assertThat(entriesRead() - before).isLessThan(200);
  }

  private long entriesRead() {
    chime.belfry.psql().execute("select pg_stat_force_next_flush()");
    return Long.parseLong(
        chime
            .belfry
            .psql()
            .rows("select idx_tup_read from pg_stat_user_indexes where indexrelname = 'run_place'")
            .get(0));
  }

  @Test
  void every_run_of_it_is_started_once() {
    List<RunId> ids = backlog(3 * ROOM);
    for (int call = 1; call < slow.calls().size(); call++) {
      end(call);
    }

    assertThat(slow.calls()).hasSize(1 + 3 * ROOM);
    assertThat(ids).allMatch(id -> state(id) == RunState.SUCCEEDED);
  }

  private int ended;

  /* Runs that take no time, so that thousands are held ready. */
  private void ringQuickly(int runs) {
    while (ended < runs) {
      for (int begun = slow.calls().size(); ended < begun; ended++) {
        slow.calls().get(ended).succeed();
      }
      node.runDue();
    }
  }

  private long running() {
    return Long.parseLong(
        chime
            .belfry
            .psql()
            .rows("select count(*) from carillon.run where state = 'running'")
            .get(0));
  }

  /* Half of them begun, and as many held ready as may be. */
  private void amidQuickRuns() {
    node.runs().enqueueAll(Chime.many(6_000, "slow"));
    node.runs().enqueueAll(Chime.many(6_000, "slow"));
    node.runDue();
    ringQuickly(6_000);
  }

  private long runningAfter(Duration time) {
    chime.belfry.clock().advance(time);
    node.runDue();
    return running();
  }

  @Test
  void while_many_quick_runs_are_ready_it_waits_for_a_larger_claim() {
    amidQuickRuns();
    long before = running();
    ringQuickly(6_200);
    assertThat(running()).isEqualTo(before - 200);

    assertThat(runningAfter(Duration.ofMillis(50))).isGreaterThanOrEqualTo(4_000);
  }

  @Test
  void two_nodes_look_for_what_has_just_become_due_half_as_often_each() {
    node.runDue();
    chime.belfry.node(builder -> {}).runDue();
    chime.belfry.clock().advance(Duration.ofSeconds(10)); // a renewal tells how many they are
    node.runDue();
    amidQuickRuns();
    ringQuickly(6_200);
    long before = running();
    assertThat(runningAfter(Duration.ofMillis(50))).isEqualTo(before);

    assertThat(runningAfter(Duration.ofMillis(50))).isGreaterThan(before);
  }

  /* The first run of the backlog, which another node has begun and leaves behind. */
  private RunId givenBack(int runs) {
    learnThatRunsTakeLong();
    ManualCarillon other =
        chime.belfry.node(builder -> builder.asyncTarget("slow", slow).concurrency(1));
    List<RunId> ids = node.runs().enqueueAll(Chime.many(runs, "slow"));
    other.runDue();
    node.runDue();
    end(2);
    other.close();
    return ids.get(0);
  }

  @Test
  void a_run_that_is_given_back_meanwhile_is_found_within_a_second() {
    RunId first = givenBack(2 * ROOM);
    end(3);
    assertThat(state(first)).isEqualTo(RunState.PENDING);

    chime.belfry.clock().advance(Duration.ofSeconds(1));
    end(4);

    assertThat(state(first)).isEqualTo(RunState.RUNNING);
  }

  @Test
  void a_run_that_is_given_back_meanwhile_is_found_when_the_rest_is_started() {
    RunId first = givenBack(ROOM + 5);
    for (int call = 3; call < 8; call++) {
      end(call);
    }

    assertThat(state(first)).isEqualTo(RunState.RUNNING);
  }
}
