package dev.carillon;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.carillon.fixture.Belfry;
import dev.carillon.fixture.EmbeddedPostgres;
import dev.carillon.fixture.SlowTarget;
import dev.carillon.model.Run;
import dev.carillon.model.RunId;
import dev.carillon.model.RunState;
import dev.carillon.policy.Retry;
import dev.carillon.testing.ManualCarillon;
import java.sql.Connection;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Ad-hoc runs that go one at a time, and requests that are sent twice. */
@ExtendWith(EmbeddedPostgres.class)
class NamedRunsTest {
  private final Belfry belfry;
  private final SlowTarget bell = new SlowTarget();
  private final ManualCarillon node;
  private final RunDraft draft = RunDraft.of("bell");

  NamedRunsTest(DataSource postgres) {
    belfry = new Belfry(postgres);
    node = belfry.node(builder -> builder.asyncTarget("bell", bell));
  }

  @AfterEach
  void close() {
    belfry.close();
  }

  private RunState state(RunId id) {
    return node.runs().get(id).map(Run::state).orElseThrow();
  }

  @Test
  void runs_with_the_same_key_go_one_after_the_other_in_order() {
    List<RunId> ids =
        node.runs().enqueueAll(Collections.nCopies(4, draft.overlapKey("customer-7")));
    RunId other = node.runs().enqueue(draft.overlapKey("customer-8"));
    RunId free = node.runs().enqueue(draft);
    node.runDue();
    assertThat(bell.runs()).containsExactlyInAnyOrder(ids.get(0), other, free);

    var order = new ArrayList<RunId>(List.of(ids.get(0)));
    for (int i = 1; i < 4; i++) {
      bell.calls().stream()
          .filter(call -> call.context().id().equals(order.get(order.size() - 1)))
          .forEach(SlowTarget.Call::succeed);
      node.runDue();
      order.add(bell.last().context().id());
    }

    assertThat(order).isEqualTo(ids);
    assertThat(node.runs().get(ids.get(0)).orElseThrow().schedule()).isEmpty();
  }

  @Test
  void a_run_waits_for_one_that_waits_for_its_retry() {
    RunId first =
        node.runs()
            .enqueue(
                draft
                    .overlapKey("customer-7")
                    .retry(Retry.times(2).backoff(Duration.ofMinutes(1))));
    RunId second = node.runs().enqueue(draft.overlapKey("customer-7"));
    node.runDue();
    bell.last().fail("cracked");
    node.runDue();
    assertThat(state(second)).isEqualTo(RunState.PENDING);

    node.pass(Duration.ofMinutes(1));
    bell.last().succeed();
    node.runDue();

    assertThat(bell.runs()).containsExactly(first, first, second);
  }

  @Test
  void two_nodes_never_run_the_same_key_at_the_same_time() {
    ManualCarillon other = belfry.node(builder -> builder.asyncTarget("bell", bell));
    node.runs().enqueueAll(Collections.nCopies(6, draft.overlapKey("customer-7")));

    for (int done = 0; done < 6; done++) {
      belfry.pass(Duration.ofSeconds(1), node, other);
      assertThat(bell.calls()).hasSize(done + 1);
      bell.last().succeed();
    }
    belfry.pass(Duration.ofSeconds(1), node, other);

    assertThat(new HashSet<>(bell.runs())).hasSize(6);
  }

  @Test
  void runs_of_the_same_key_and_instant_are_as_many_as_were_asked_for() {
    Instant at = belfry.clock().instant().plusSeconds(60);
    List<RunId> ids =
        node.runs().enqueueAll(Collections.nCopies(50, draft.at(at).overlapKey("customer-7")));

    assertThat(new HashSet<>(ids)).hasSize(50);
    assertThat(ids)
        .allSatisfy(id -> assertThat(node.runs().get(id).orElseThrow().dueAt()).isEqualTo(at));
  }

  @Test
  void lanes_of_keys_that_nobody_uses_do_not_pile_up() {
    for (int i = 0; i < 60; i++) {
      node.runs().enqueue(draft.overlapKey("customer-" + i));
      node.runDue();
      bell.last().succeed();
      node.runDue();
    }

    assertThat(Integer.parseInt(belfry.psql().rows("select count(*) from carillon.lane").get(0)))
        .isLessThan(30);
  }

  @Test
  void a_repeated_request_is_one_run() {
    RunId first = node.runs().enqueue(draft.requestId("r-1"));
    belfry.clock().advance(Duration.ofSeconds(5));

    assertThat(node.runs().enqueue(draft.requestId("r-1"))).isEqualTo(first);
    assertThat(
            node.runs()
                .enqueueAll(List.of(draft, draft.requestId("r-1"), draft.requestId("r-2"), draft)))
        .hasSize(4)
        .contains(first);
    node.runDue();
    assertThat(bell.calls()).hasSize(4);
    bell.calls().forEach(SlowTarget.Call::succeed);
    node.runDue();

    assertThat(node.runs().enqueue(draft.requestId("r-1"))).isEqualTo(first);
    assertThat(state(first)).isEqualTo(RunState.SUCCEEDED);
  }

  @Test
  void a_request_that_was_rolled_back_was_never_sent() throws Exception {
    RunId lost;
    try (Connection connection = belfry.source().getConnection()) {
      connection.setAutoCommit(false);
      lost = node.runs().enqueue(connection, draft.requestId("r-1"));
      connection.rollback();
    }

    RunId kept = node.runs().enqueue(draft.requestId("r-1"));

    assertThat(kept).isNotEqualTo(lost);
    assertThat(node.runs().get(kept)).isPresent();
  }

  @Test
  void of_many_at_once_one_run_comes() throws Exception {
    int callers = 6;
    var together = new CyclicBarrier(callers);
    var pool = Executors.newFixedThreadPool(callers);
    try {
      Callable<RunId> call =
          () -> {
            together.await();
            return node.runs().enqueue(draft.requestId("r-1").overlapKey("customer-7"));
          };
      var ids = new HashSet<RunId>();
      for (Future<RunId> id : pool.invokeAll(Collections.nCopies(callers, call))) {
        ids.add(id.get());
      }
      assertThat(ids).hasSize(1);
      assertThat(belfry.psql().rows("select count(*) from carillon.run")).containsExactly("1");
    } finally {
      pool.shutdown();
    }
  }

  @Test
  void a_request_is_forgotten_after_thirty_days() {
    RunId first = node.runs().enqueue(draft.requestId("r-1"));
    belfry.clock().advance(Duration.ofDays(31));
    node.runs().enqueue(draft.requestId("r-2"));

    assertThat(node.runs().enqueue(draft.requestId("r-1"))).isNotEqualTo(first);
  }

  @Test
  void names_that_cannot_be_kept_are_refused() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> draft.overlapKey(""))
        .withMessage("an overlap key has 1 to 200 characters; '' has 0");
    assertThatIllegalArgumentException().isThrownBy(() -> draft.overlapKey("a\0b"));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> draft.requestId("x".repeat(201)))
        .withMessageContaining("a request id has 1 to 200 characters");
  }
}
