package dev.carillon.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.tuple;

import dev.carillon.PullWorkers;
import dev.carillon.RunDraft;
import dev.carillon.ScheduleDraft;
import dev.carillon.event.Event;
import dev.carillon.fixture.Belfry;
import dev.carillon.fixture.EmbeddedPostgres;
import dev.carillon.fixture.Wiretap;
import dev.carillon.model.Failure;
import dev.carillon.model.Report;
import dev.carillon.model.Run;
import dev.carillon.model.RunFilter;
import dev.carillon.model.RunId;
import dev.carillon.model.RunState;
import dev.carillon.model.WorkerInfo;
import dev.carillon.policy.Overlap;
import dev.carillon.policy.Retry;
import dev.carillon.store.StoreException;
import dev.carillon.target.Completed;
import dev.carillon.target.Completed.Answer;
import dev.carillon.target.Completion;
import dev.carillon.target.Lease;
import dev.carillon.target.Leased;
import dev.carillon.target.Outcome;
import dev.carillon.target.Renewal;
import dev.carillon.target.StopReason;
import dev.carillon.testing.ManualCarillon;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Workers that are no nodes: they fetch runs, keep them by heartbeats, and say how they ended. */
@ExtendWith(EmbeddedPostgres.class)
class PullWorkersTest {
  private static final Duration LEASE = Duration.ofSeconds(30);
  private static final List<String> PRESS = List.of("press");
  private static final Outcome BROKEN = Outcome.failed(Failure.of("jammed", "paper everywhere"));

  private final Belfry belfry;
  private final Wiretap tap;
  private final ManualCarillon node;
  private final ManualCarillon other;

  PullWorkersTest(DataSource postgres) {
    belfry = new Belfry(postgres);
    tap = new Wiretap(postgres);
    node = belfry.nodeOn(tap.dataSource(), builder -> builder.targetElsewhere("press"));
    other = belfry.node(builder -> builder.targetElsewhere("press").targetElsewhere("binding"));
  }

  @AfterEach
  void close() {
    belfry.close();
  }

  private PullWorkers workers() {
    return node.carillon().pullWorkers();
  }

  private List<Leased> claim(String worker, int max) {
    return workers().claim(worker, PRESS, max, LEASE);
  }

  private Leased claimed(RunDraft draft) {
    node.runs().enqueue(draft);
    return claim("anna", 1).get(0);
  }

  private Run run(RunId id) {
    return node.runs().get(id).orElseThrow();
  }

  private RunState state(Leased leased) {
    return run(leased.run().id()).state();
  }

  private static Completion end(Leased leased, Outcome outcome) {
    return new Completion(leased.lease(), outcome);
  }

  private Completed complete(Leased leased, Outcome outcome) {
    return workers().complete(List.of(end(leased, outcome))).get(0);
  }

  private Renewal beat(String worker, Leased leased) {
    Lease lease = leased.lease();
    Renewal renewal = workers().heartbeat(worker, List.of(lease), LEASE).get(lease.id());
    return Objects.requireNonNull(renewal);
  }

  private static <T extends Event> List<T> told(ManualCarillon node, Class<T> type) {
    return node.events().stream().filter(type::isInstance).map(type::cast).toList();
  }

  @Test
  void a_worker_fetches_what_is_due_and_no_more_than_it_asked_for() {
    node.runs().enqueueAll(Collections.nCopies(5, RunDraft.of("press")));
    node.runs().enqueue(RunDraft.of("press").in(Duration.ofMinutes(1)));

    assertThat(claim("anna", 3)).hasSize(3);
    assertThat(claim("ben", 10)).hasSize(2);
    assertThat(claim("anna", 10)).isEmpty();
  }

  @Test
  void nodes_leave_to_workers_what_is_theirs() {
    RunId id = node.runs().enqueue(RunDraft.of("press"));
    node.runDue();
    other.runDue();

    assertThat(run(id).state()).isEqualTo(RunState.PENDING);
  }

  @Test
  void a_run_on_lease_is_running_at_its_worker() {
    Leased leased = claimed(RunDraft.of("press").payload("page", 7));

    assertThat(leased.run().payload().number("page")).contains(7L);
    assertThat(leased.run().state()).isEqualTo(RunState.RUNNING);
    assertThat(leased.run()).isEqualTo(run(leased.run().id()));
    assertThat(leased.lease().attempt()).isEqualTo(1);
    assertThat(leased.until()).isEqualTo(belfry.clock().instant().plus(LEASE));
    assertThat(told(node, Event.Started.class))
        .singleElement()
        .satisfies(event -> assertThat(event.run().id()).isEqualTo(leased.run().id()));
  }

  @Test
  void what_has_waited_longest_is_fetched_first_whatever_its_target() {
    RunId oldest = other.runs().enqueue(RunDraft.of("binding"));
    belfry.clock().advance(Duration.ofSeconds(1));
    RunId newer = other.runs().enqueue(RunDraft.of("press"));
    List<Leased> fetched =
        other.carillon().pullWorkers().claim("anna", List.of("press", "binding"), 1, LEASE);

    assertThat(fetched).extracting(leased -> leased.run().id()).containsExactly(oldest);
    assertThat(run(newer).state()).isEqualTo(RunState.PENDING);
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
                      .claim("at " + door.carillon().node(), PRESS, 10, LEASE)
                      .forEach(leased -> fetched.add(leased.run().id()));
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
  void a_batch_of_ends_is_one_commit_and_each_has_its_answer() {
    node.runs().enqueueAll(Collections.nCopies(50, RunDraft.of("press")));
    List<Leased> fetched = claim("anna", 50);
    long commits = tap.commits();
    List<Completed> answers =
        workers().complete(fetched.stream().map(one -> end(one, Outcome.succeeded())).toList());

    assertThat(tap.commits() - commits).isEqualTo(1);
    assertThat(answers)
        .extracting(Completed::id)
        .containsExactlyElementsOf(fetched.stream().map(one -> one.run().id()).toList());
    assertThat(answers).allMatch(answer -> answer.answer() == Answer.DONE);
    assertThat(told(node, Event.Finished.class)).hasSize(50);
    assertThat(node.runs().list(RunFilter.all().state(RunState.SUCCEEDED))).hasSize(50);
  }

  @Test
  void a_bad_end_does_not_harm_the_others() {
    node.runs().enqueueAll(Collections.nCopies(4, RunDraft.of("press")));
    List<Leased> fetched = claim("anna", 4);
    RunId nobodys = new RunId(4711, belfry.clock().instant(), 0);
    Lease wrong = new Lease(fetched.get(2).run().id(), 7, "");
    List<Completed> answers =
        workers()
            .complete(
                List.of(
                    new Completion(new Lease(nobodys, 1), Outcome.succeeded()),
                    end(fetched.get(0), new Outcome.Canceled("a reason with \0 in it")),
                    new Completion(wrong, Outcome.succeeded()),
                    end(fetched.get(1), Outcome.succeeded()),
                    end(fetched.get(3), BROKEN)));

    assertThat(answers)
        .extracting(Completed::answer)
        .containsExactly(Answer.UNKNOWN, Answer.DONE, Answer.FENCED, Answer.DONE, Answer.DONE);
    assertThat(fetched)
        .extracting(this::state)
        .containsExactly(RunState.FAILED, RunState.SUCCEEDED, RunState.RUNNING, RunState.FAILED);
    assertThat(run(fetched.get(0).run().id()).failure().map(Failure::code))
        .contains("unrecordable");
  }

  @Test
  void saying_it_twice_in_one_batch_is_saying_it_once() {
    Leased leased = claimed(RunDraft.of("press"));
    List<Completed> answers =
        workers()
            .complete(List.of(end(leased, Outcome.succeeded()), end(leased, Outcome.succeeded())));

    assertThat(answers).extracting(Completed::answer).containsOnly(Answer.DONE);
    assertThat(told(node, Event.Finished.class)).hasSize(1);
  }

  @Test
  void a_worker_that_did_not_hear_the_answer_may_say_it_again() {
    Leased leased = claimed(RunDraft.of("press"));
    tap.loseNextConfirmation();
    assertThatExceptionOfType(StoreException.class)
        .isThrownBy(() -> complete(leased, Outcome.succeeded()));

    assertThat(complete(leased, Outcome.succeeded()).answer()).isEqualTo(Answer.DONE);
    assertThat(state(leased)).isEqualTo(RunState.SUCCEEDED);
  }

  @Test
  void a_failure_is_retried_like_any_other() {
    Leased first = claimed(RunDraft.of("press").retry(Retry.times(2).backoff(LEASE)));
    assertThat(complete(first, BROKEN).state()).contains(RunState.PENDING);
    assertThat(claim("anna", 1)).isEmpty();
    belfry.pass(LEASE, node);
    Leased second = claim("ben", 1).get(0);

    assertThat(second.lease().attempt()).isEqualTo(2);
    assertThat(complete(second, BROKEN).state()).contains(RunState.FAILED);
    assertThat(node.runs().deadLetters(10)).hasSize(1);
  }

  @Test
  void a_silent_worker_loses_its_run_to_another_and_what_it_says_later_is_refused() {
    Leased lost = claimed(RunDraft.of("press"));
    belfry.pass(LEASE, other);
    node.turn("heartbeat");
    Leased found = claim("ben", 1).get(0);

    assertThat(found.run().id()).isEqualTo(lost.run().id());
    assertThat(found.lease().attempt()).isEqualTo(2);
    assertThat(complete(lost, Outcome.succeeded()).answer()).isEqualTo(Answer.FENCED);
    assertThat(beat("anna", lost).stop()).contains(StopReason.FENCED);
    assertThat(state(lost)).isEqualTo(RunState.RUNNING);
    assertThat(told(node, Event.Fenced.class)).hasSize(1);
    assertThat(complete(found, Outcome.succeeded()).answer()).isEqualTo(Answer.DONE);
    assertThat(run(found.run().id()).attempts())
        .extracting(attempt -> attempt.failure().code())
        .containsExactly("worker_lost");
  }

  @Test
  void a_worker_that_starts_again_under_its_name_does_not_keep_what_it_forgot() {
    Leased forgotten = claimed(RunDraft.of("press"));
    for (int i = 0; i < 4; i++) {
      belfry.pass(Duration.ofSeconds(10), node);
      workers().heartbeat("anna", List.of(), LEASE);
    }
    Leased again = claim("anna", 1).get(0);

    assertThat(again.run().id()).isEqualTo(forgotten.run().id());
    assertThat(complete(forgotten, Outcome.succeeded()).answer()).isEqualTo(Answer.FENCED);
  }

  @Test
  void heartbeats_keep_a_run() {
    Leased leased = claimed(RunDraft.of("press"));
    for (int i = 0; i < 6; i++) {
      belfry.pass(Duration.ofSeconds(20), node);
      Renewal renewal = beat("anna", leased);
      assertThat(renewal.goesOn()).isTrue();
      assertThat(renewal.until()).contains(belfry.clock().instant().plus(LEASE));
    }

    assertThat(complete(leased, Outcome.succeeded()).answer()).isEqualTo(Answer.DONE);
  }

  @Test
  void nobody_renews_the_lease_of_another() {
    Leased leased = claimed(RunDraft.of("press"));

    assertThat(beat("ben", leased).stop()).contains(StopReason.FENCED);
  }

  @Test
  void an_end_counts_until_the_run_was_taken_away() {
    Leased leased = claimed(RunDraft.of("press"));
    belfry.clock().advance(LEASE.plusSeconds(5));

    assertThat(complete(leased, Outcome.succeeded()).answer()).isEqualTo(Answer.DONE);
  }

  @Test
  void a_run_that_may_happen_at_most_once_is_not_given_to_another() {
    Leased leased = claimed(RunDraft.of("press").atMostOnce());
    belfry.pass(LEASE, node);

    assertThat(state(leased)).isEqualTo(RunState.FAILED);
    assertThat(run(leased.run().id()).failure().map(Failure::code)).contains("worker_lost");
    assertThat(claim("ben", 1)).isEmpty();
  }

  @Test
  void a_run_that_loses_every_worker_ends_as_a_dead_letter() {
    node.runs().enqueue(RunDraft.of("press"));
    for (int i = 0; i < 3; i++) {
      assertThat(claim("anna", 1)).hasSize(1);
      belfry.pass(LEASE, node);
    }

    assertThat(claim("anna", 1)).isEmpty();
    assertThat(node.runs().deadLetters(10)).hasSize(1);
  }

  @Test
  void a_worker_learns_of_a_cancellation_by_its_heartbeat() {
    Leased leased = claimed(RunDraft.of("press"));
    assertThat(other.runs().cancel(leased.run().id(), "misprint")).contains(RunState.RUNNING);
    Renewal renewal = beat("anna", leased);

    assertThat(renewal.stop()).contains(StopReason.CANCELED);
    assertThat(renewal.reason()).isEqualTo("misprint");
    assertThat(complete(leased, BROKEN).state()).contains(RunState.CANCELED);
  }

  @Test
  void a_canceled_run_of_a_silent_worker_ends_with_its_lease() {
    Leased leased = claimed(RunDraft.of("press"));
    other.runs().cancel(leased.run().id(), "misprint");
    belfry.pass(LEASE, node);

    assertThat(state(leased)).isEqualTo(RunState.CANCELED);
  }

  @Test
  void heartbeats_do_not_keep_a_run_that_takes_too_long() {
    node.schedules()
        .create(
            ScheduleDraft.named("paper")
                .target("press")
                .in(Duration.ofSeconds(1))
                .timeout(Duration.ofSeconds(40)));
    belfry.pass(Duration.ofSeconds(1), node);
    Leased leased = claim("anna", 1).get(0);
    belfry.pass(Duration.ofSeconds(20), node);
    assertThat(beat("anna", leased).until()).contains(belfry.clock().instant().plusSeconds(20));
    belfry.clock().advance(Duration.ofSeconds(20));
    assertThat(beat("anna", leased).stop()).contains(StopReason.TIMEOUT);
    node.runDue();

    assertThat(run(leased.run().id()).failure())
        .contains(Failure.of("timeout", "took longer than PT40S"));
  }

  @Test
  void overlap_rules_hold_for_workers() {
    node.schedules()
        .create(ScheduleDraft.named("paper").target("press").every(Duration.ofMinutes(1)));
    belfry.pass(Duration.ofMinutes(1), node);
    Leased first = workers().claim("anna", PRESS, 5, Duration.ofHours(1)).get(0);
    belfry.pass(Duration.ofMinutes(1), node);

    assertThat(claim("ben", 5)).isEmpty();
    assertThat(node.runs().list(RunFilter.of("paper").state(RunState.SKIPPED))).hasSize(1);
    assertThat(told(node, Event.Finished.class)).hasSize(1);
    complete(first, Outcome.succeeded());
    belfry.pass(Duration.ofMinutes(1), node);
    assertThat(claim("ben", 5)).hasSize(1);
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
    Leased first = workers().claim("anna", PRESS, 5, Duration.ofHours(1)).get(0);
    belfry.pass(Duration.ofMinutes(1), node);
    assertThat(claim("ben", 5)).isEmpty();
    complete(first, Outcome.succeeded());

    assertThat(claim("ben", 5)).hasSize(1);
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
    Leased leased = claim("anna", 5).get(0);
    node.schedules().patch("paper", draft -> draft.payload("page", 2));
    node.schedules().pause("paper", "out of paper");
    belfry.pass(Duration.ofSeconds(10), node);

    assertThat(beat("anna", leased).goesOn()).isTrue();
    assertThat(complete(leased, Outcome.succeeded()).answer()).isEqualTo(Answer.DONE);
    assertThat(run(leased.run().id()).version()).isEqualTo(1);
    assertThat(run(leased.run().id()).payload().number("page")).contains(1L);
  }

  @Test
  void a_run_outlives_the_node_through_which_it_was_fetched() {
    Leased leased = longLease();
    belfry.pass(Duration.ofMinutes(1), other);

    assertThat(other.carillon().nodes()).hasSize(1);
    assertThat(state(leased)).isEqualTo(RunState.RUNNING);
    assertThat(
            other
                .carillon()
                .pullWorkers()
                .complete(List.of(end(leased, Outcome.succeeded())))
                .get(0)
                .answer())
        .isEqualTo(Answer.DONE);
  }

  private Leased longLease() {
    node.runs().enqueue(RunDraft.of("press"));
    return workers().claim("anna", PRESS, 1, Duration.ofHours(1)).get(0);
  }

  @Test
  void workers_are_no_nodes() {
    claimed(RunDraft.of("press"));

    assertThat(node.carillon().nodes())
        .extracting(info -> info.id())
        .containsExactlyInAnyOrder(node.carillon().node(), other.carillon().node());
  }

  @Test
  void a_worker_does_not_keep_the_cluster_alive() {
    node.schedules()
        .create(ScheduleDraft.named("paper").target("press").every(Duration.ofSeconds(20)));
    node.runDue();
    Leased leased = longLease();
    for (int i = 0; i < 5; i++) {
      belfry.clock().advance(Duration.ofSeconds(20));
      assertThat(beat("anna", leased).goesOn()).isTrue();
    }
    assertThat(claim("anna", 5)).isEmpty();
    node.runDue();

    assertThat(told(node, Event.Outage.class)).hasSize(1);
    assertThat(state(leased)).isEqualTo(RunState.RUNNING);
  }

  @Test
  void workers_can_be_listed_with_what_they_have() {
    node.runs().enqueueAll(Collections.nCopies(3, RunDraft.of("press")));
    claim("anna", 2);
    belfry.clock().advance(Duration.ofSeconds(2));
    workers().heartbeat("ben", List.of(), Duration.ofSeconds(5));

    assertThat(workers().list())
        .extracting(WorkerInfo::name, WorkerInfo::inHand)
        .containsExactly(tuple("anna", 2), tuple("ben", 0));
    assertThat(workers().list().get(0).leaseUntil())
        .isEqualTo(belfry.clock().instant().minusSeconds(2).plus(LEASE));
    belfry.clock().advance(Duration.ofSeconds(6));
    assertThat(workers().list()).extracting(WorkerInfo::name).containsExactly("anna");
  }

  @Test
  void housekeeping_forgets_workers_that_are_long_gone() {
    workers().heartbeat("ben", List.of(), LEASE);
    node.pass(Duration.ofDays(2));
    node.turn("housekeeping");

    assertThat(belfry.psql().rows("select name from carillon.worker")).isEmpty();
  }

  @Test
  void a_worker_may_pass_its_run_on_to_somebody_who_reports() {
    Leased leased = claimed(RunDraft.of("press"));
    Completed answer = complete(leased, Outcome.accepted("printer-9"));
    belfry.pass(LEASE.multipliedBy(2), node);

    assertThat(answer.state()).contains(RunState.RUNNING);
    assertThat(run(leased.run().id()).externalId()).contains("printer-9");
    assertThat(told(node, Event.Accepted.class)).hasSize(1);
    assertThat(complete(leased, Outcome.succeeded()).answer()).isEqualTo(Answer.FENCED);
    assertThat(node.runs().report(leased.run().id(), Report.succeeded()))
        .contains(RunState.SUCCEEDED);
  }

  @Test
  void a_worker_that_stops_gives_its_run_to_recovery() {
    Leased leased = claimed(RunDraft.of("press"));
    complete(leased, new Outcome.Interrupted("the printer is switched off"));

    assertThat(claim("ben", 1))
        .singleElement()
        .satisfies(next -> assertThat(next.lease().attempt()).isEqualTo(2));
  }

  @Test
  void a_report_ends_what_a_worker_has() {
    Leased leased = claimed(RunDraft.of("press"));
    node.runs().report(leased.run().id(), Report.succeeded());

    assertThat(beat("anna", leased).goesOn()).isFalse();
    assertThat(complete(leased, BROKEN).answer()).isEqualTo(Answer.FENCED);
  }

  @Test
  void a_one_shot_retires_when_its_worker_is_done() {
    node.schedules().create(ScheduleDraft.named("once").target("press").in(Duration.ofSeconds(1)));
    belfry.pass(Duration.ofSeconds(1), node);
    complete(claim("anna", 1).get(0), Outcome.succeeded());

    assertThat(belfry.psql().rows("select status from carillon.schedule"))
        .containsExactly("retired");
  }

  @Test
  void those_who_wait_are_woken_when_something_is_due() {
    var woken = new AtomicInteger();
    PullWorkers.Waiting waiting = workers().onDue(PRESS, woken::incrementAndGet);
    node.runs().enqueue(RunDraft.of("press").in(Duration.ofMillis(300)));
    assertThat(node.turn("pulling")).isEqualTo(Duration.ofMillis(300));
    assertThat(woken).hasValue(0);
    belfry.clock().advance(Duration.ofMillis(300));
    node.turn("pulling");
    assertThat(woken).hasValue(1);
    claim("anna", 1);
    node.turn("pulling");
    assertThat(woken).hasValue(1);
    waiting.close();
    node.runs().enqueue(RunDraft.of("press"));
    node.turn("pulling");

    assertThat(woken).hasValue(1);
  }

  @Test
  void one_who_fails_when_woken_does_not_keep_the_others_waiting() {
    var woken = new AtomicInteger();
    Runnable failing =
        () -> {
          throw new IllegalStateException("as the test wanted");
        };
    workers().onDue(PRESS, failing);
    workers().onDue(PRESS, woken::incrementAndGet);
    node.runs().enqueue(RunDraft.of("press"));
    node.turn("pulling");

    assertThat(woken).hasValue(1);
  }

  @Test
  void nobody_asks_the_database_while_nobody_waits() {
    long statements = tap.statements();
    node.turn("pulling");

    assertThat(tap.statements()).isEqualTo(statements);
  }

  @Test
  void what_makes_no_sense_is_refused() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> workers().claim("anna", List.of("pres"), 1, LEASE))
        .withMessage("no run can have the unknown target 'pres'; known are press");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> claim("anna", 0))
        .withMessage("a worker fetches from 1 to 1000 runs at a time; was 0");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> workers().claim("anna", PRESS, 1, Duration.ZERO))
        .withMessage("a lease lasts from PT1S to PT12H; was PT0S");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> claim("", 1))
        .withMessage("a worker's name has 1 to 200 characters; '' has 0");
  }
}
