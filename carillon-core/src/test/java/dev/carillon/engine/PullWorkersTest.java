package dev.carillon.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.tuple;

import dev.carillon.Carillon;
import dev.carillon.PullWorkers;
import dev.carillon.RunDraft;
import dev.carillon.ScheduleDraft;
import dev.carillon.event.EngineLoop;
import dev.carillon.event.Event;
import dev.carillon.fixture.Belfry;
import dev.carillon.fixture.EmbeddedPostgres;
import dev.carillon.fixture.Wiretap;
import dev.carillon.model.RunFilter;
import dev.carillon.model.RunId;
import dev.carillon.model.RunState;
import dev.carillon.model.WorkerInfo;
import dev.carillon.policy.Overlap;
import dev.carillon.target.CompletionResult.Answer;
import dev.carillon.target.LeasedRun;
import dev.carillon.target.Outcome;
import dev.carillon.testing.ManualCarillon;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Workers that are no nodes: what they fetch, and what they are to the cluster. */
@ExtendWith(EmbeddedPostgres.class)
class PullWorkersTest {
  private final DataSource postgres;
  private final Press press;
  private final Belfry belfry;
  private final ManualCarillon node;
  private final Wiretap tap;
  private final ManualCarillon other;

  PullWorkersTest(DataSource postgres) {
    this.postgres = postgres;
    press = new Press(postgres);
    belfry = press.belfry();
    node = press.node();
    tap = press.tap();
    other = press.other();
  }

  @AfterEach
  void close() {
    press.close();
  }

  @Test
  void a_worker_fetches_what_is_due_and_no_more_than_it_asked_for() {
    node.runs().enqueueAll(Collections.nCopies(5, RunDraft.of("press")));
    node.runs().enqueue(RunDraft.of("press").in(Duration.ofMinutes(1)));

    assertThat(press.claim("anna", 3)).hasSize(3);
    assertThat(press.claim("ben", 10)).hasSize(2);
    assertThat(press.claim("anna", 10)).isEmpty();
  }

  @Test
  void nodes_leave_to_workers_what_is_theirs() {
    RunId id = node.runs().enqueue(RunDraft.of("press"));
    node.runDue();
    other.runDue();

    assertThat(press.run(id).state()).isEqualTo(RunState.PENDING);
  }

  @Test
  void a_run_on_lease_is_running_at_its_worker() {
    LeasedRun leasedRun = press.claimed(RunDraft.of("press").payload("page", 7));

    assertThat(leasedRun.run().payload().number("page")).contains(7L);
    assertThat(leasedRun.run().state()).isEqualTo(RunState.RUNNING);
    assertThat(leasedRun.run()).isEqualTo(press.run(leasedRun.run().id()));
    assertThat(leasedRun.lease().attempt()).isEqualTo(1);
    assertThat(leasedRun.until()).isEqualTo(belfry.clock().instant().plus(Press.LEASE));
    assertThat(Press.told(node, Event.Started.class))
        .singleElement()
        .satisfies(event -> assertThat(event.run().id()).isEqualTo(leasedRun.run().id()));
  }

  @Test
  void what_has_waited_longest_is_fetched_first_whatever_its_target() {
    RunId oldest = other.runs().enqueue(RunDraft.of("binding"));
    belfry.clock().advance(Duration.ofSeconds(1));
    RunId newer = other.runs().enqueue(RunDraft.of("press"));
    List<LeasedRun> fetched =
        other.carillon().pullWorkers().claim("anna", List.of("press", "binding"), 1, Press.LEASE);

    assertThat(fetched).extracting(leasedRun -> leasedRun.run().id()).containsExactly(oldest);
    assertThat(press.run(newer).state()).isEqualTo(RunState.PENDING);
  }

  @Test
  void two_workers_never_fetch_the_same_run() throws Exception {
    node.runs().enqueueAll(Collections.nCopies(400, RunDraft.of("press")));
    var fetched = Collections.synchronizedList(new ArrayList<RunId>());
    var threads = new ArrayList<Thread>();
    for (ManualCarillon door : List.of(node, other)) {
      var thread =
          new Thread(
              () -> {
                for (int i = 0; i < 30; i++) {
                  door.carillon()
                      .pullWorkers()
                      .claim("at " + door.carillon().nodeId(), Press.PRESS, 10, Press.LEASE)
                      .forEach(leasedRun -> fetched.add(leasedRun.run().id()));
                }
              });
      threads.add(thread);
      thread.start();
    }
    for (Thread thread : threads) {
      thread.join();
    }

    assertThat(fetched).doesNotHaveDuplicates().hasSize(400);
  }

  @Test
  void overlap_rules_hold_for_workers() {
    node.schedules()
        .create(ScheduleDraft.named("paper").target("press").every(Duration.ofMinutes(1)));
    belfry.pass(Duration.ofMinutes(1), node);
    LeasedRun first = press.workers().claim("anna", Press.PRESS, 5, Duration.ofHours(1)).get(0);
    belfry.pass(Duration.ofMinutes(1), node);

    assertThat(press.claim("ben", 5)).isEmpty();
    assertThat(node.runs().list(RunFilter.bySchedule("paper").state(RunState.SKIPPED))).hasSize(1);
    assertThat(Press.told(node, Event.Finished.class)).hasSize(1);
    press.complete(first, Outcome.succeeded());
    belfry.pass(Duration.ofMinutes(1), node);
    assertThat(press.claim("ben", 5)).hasSize(1);
  }

  @Test
  void a_queued_run_is_fetched_when_the_one_before_it_is_over() {
    node.schedules()
        .create(
            ScheduleDraft.named("paper")
                .target("press")
                .every(Duration.ofMinutes(1))
                .overlap(Overlap.QUEUE));
    belfry.pass(Duration.ofMinutes(1), node);
    LeasedRun first = press.workers().claim("anna", Press.PRESS, 5, Duration.ofHours(1)).get(0);
    belfry.pass(Duration.ofMinutes(1), node);
    assertThat(press.claim("ben", 5)).isEmpty();
    press.complete(first, Outcome.succeeded());

    assertThat(press.claim("ben", 5)).hasSize(1);
  }

  @Test
  void a_pause_or_an_edit_leaves_alone_what_a_worker_has() {
    node.schedules()
        .create(
            ScheduleDraft.named("paper")
                .target("press")
                .payload("page", 1)
                .every(Duration.ofMinutes(1)));
    belfry.pass(Duration.ofMinutes(1), node);
    LeasedRun leasedRun = press.claim("anna", 5).get(0);
    node.schedules().patch("paper", draft -> draft.payload("page", 2));
    node.schedules().pause("paper", "out of paper");
    belfry.pass(Duration.ofSeconds(10), node);

    assertThat(press.beat("anna", leasedRun).shouldContinue()).isTrue();
    assertThat(press.complete(leasedRun, Outcome.succeeded()).answer()).isEqualTo(Answer.DONE);
    assertThat(press.run(leasedRun.run().id()).version()).isEqualTo(1);
    assertThat(press.run(leasedRun.run().id()).payload().number("page")).contains(1L);
  }

  @Test
  void a_run_outlives_the_node_through_which_it_was_fetched() {
    LeasedRun leasedRun = press.longLease();
    belfry.pass(Duration.ofMinutes(1), other);

    assertThat(other.carillon().nodes()).hasSize(1);
    assertThat(press.state(leasedRun)).isEqualTo(RunState.RUNNING);
    assertThat(
            other
                .carillon()
                .pullWorkers()
                .complete(List.of(Press.end(leasedRun, Outcome.succeeded())))
                .get(0)
                .answer())
        .isEqualTo(Answer.DONE);
  }

  @Test
  void workers_are_no_nodes() {
    press.claimed(RunDraft.of("press"));

    assertThat(node.carillon().nodes())
        .extracting(info -> info.id())
        .containsExactlyInAnyOrder(node.carillon().nodeId(), other.carillon().nodeId());
  }

  @Test
  void a_worker_does_not_keep_the_cluster_alive() {
    node.schedules()
        .create(ScheduleDraft.named("paper").target("press").every(Duration.ofSeconds(20)));
    node.runDue();
    LeasedRun leasedRun = press.longLease();
    for (int i = 0; i < 5; i++) {
      belfry.clock().advance(Duration.ofSeconds(20));
      assertThat(press.beat("anna", leasedRun).shouldContinue()).isTrue();
    }
    assertThat(press.claim("anna", 5)).isEmpty();
    node.runDue();

    assertThat(Press.told(node, Event.Outage.class)).hasSize(1);
    assertThat(press.state(leasedRun)).isEqualTo(RunState.RUNNING);
  }

  @Test
  void workers_can_be_listed_with_what_they_have() {
    node.runs().enqueueAll(Collections.nCopies(3, RunDraft.of("press")));
    press.claim("anna", 2);
    belfry.clock().advance(Duration.ofSeconds(2));
    press.workers().heartbeat("ben", List.of(), Duration.ofSeconds(5));

    assertThat(press.workers().list())
        .extracting(WorkerInfo::name, WorkerInfo::inHand)
        .containsExactly(tuple("anna", 2), tuple("ben", 0));
    assertThat(press.workers().list().get(0).leaseUntil())
        .isEqualTo(belfry.clock().instant().minusSeconds(2).plus(Press.LEASE));
    belfry.clock().advance(Duration.ofSeconds(6));
    assertThat(press.workers().list()).extracting(WorkerInfo::name).containsExactly("anna");
  }

  @Test
  void housekeeping_forgets_workers_that_are_long_gone() {
    press.workers().heartbeat("ben", List.of(), Press.LEASE);
    node.pass(Duration.ofDays(2));
    node.turn(EngineLoop.HOUSEKEEPING);

    assertThat(belfry.psql().rows("select name from carillon.worker")).isEmpty();
  }

  @Test
  void a_one_shot_retires_when_its_worker_is_done() {
    node.schedules().create(ScheduleDraft.named("once").target("press").in(Duration.ofSeconds(1)));
    belfry.pass(Duration.ofSeconds(1), node);
    press.complete(press.claim("anna", 1).get(0), Outcome.succeeded());

    assertThat(belfry.psql().rows("select status from carillon.schedule"))
        .containsExactly("retired");
  }

  @Test
  void those_who_wait_are_woken_when_something_is_due() {
    var woken = new AtomicInteger();
    PullWorkers.Subscription subscription =
        press.workers().onDue(Press.PRESS, woken::incrementAndGet);
    node.runs().enqueue(RunDraft.of("press").in(Duration.ofMillis(300)));
    assertThat(node.turn(EngineLoop.PULLING)).isEqualTo(Duration.ofMillis(300));
    assertThat(woken).hasValue(0);
    belfry.clock().advance(Duration.ofMillis(300));
    node.turn(EngineLoop.PULLING);
    assertThat(woken).hasValue(1);
    press.claim("anna", 1);
    node.turn(EngineLoop.PULLING);
    assertThat(woken).hasValue(1);
    subscription.close();
    node.runs().enqueue(RunDraft.of("press"));
    node.turn(EngineLoop.PULLING);

    assertThat(woken).hasValue(1);
  }

  @Test
  void a_running_node_wakes_those_who_wait_as_soon_as_there_is_something() throws Exception {
    try (Carillon running =
        Carillon.builder()
            .dataSource(postgres)
            .migrate(false)
            .poll(Duration.ofMinutes(1))
            .remoteTarget("press")
            .build()
            .start()) {
      var woken = new CountDownLatch(1);
      running.pullWorkers().onDue(Press.PRESS, woken::countDown);
      running.runs().enqueue(RunDraft.of("press"));

      assertThat(woken.await(30, TimeUnit.SECONDS)).isTrue();
      assertThat(running.pullWorkers().claim("anna", Press.PRESS, 5, Press.LEASE)).hasSize(1);
    }
  }

  @Test
  void one_who_fails_when_woken_does_not_keep_the_others_waiting() {
    var woken = new AtomicInteger();
    Runnable failing =
        () -> {
          throw new IllegalStateException("as the test wanted");
        };
    press.workers().onDue(Press.PRESS, failing);
    press.workers().onDue(Press.PRESS, woken::incrementAndGet);
    node.runs().enqueue(RunDraft.of("press"));
    node.turn(EngineLoop.PULLING);

    assertThat(woken).hasValue(1);
  }

  @Test
  void nobody_asks_the_database_while_nobody_waits() {
    long statements = tap.statements();
    node.turn(EngineLoop.PULLING);

    assertThat(tap.statements()).isEqualTo(statements);
  }

  @Test
  void what_makes_no_sense_is_refused() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> press.workers().claim("anna", List.of("pres"), 1, Press.LEASE))
        .withMessage("no run can have the unknown target 'pres'; known are press");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> press.claim("anna", 0))
        .withMessage("a worker fetches from 1 to 1000 runs at a time; was 0");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> press.workers().claim("anna", Press.PRESS, 1, Duration.ZERO))
        .withMessage("a lease lasts from PT1S to PT12H; was PT0S");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> press.claim("", 1))
        .withMessage("a worker's name has 1 to 200 characters; '' has 0");
  }
}
