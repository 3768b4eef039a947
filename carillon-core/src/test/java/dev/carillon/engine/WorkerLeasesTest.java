package dev.carillon.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.carillon.RunDraft;
import dev.carillon.ScheduleDraft;
import dev.carillon.event.EngineLoop;
import dev.carillon.event.Event;
import dev.carillon.fixture.Belfry;
import dev.carillon.fixture.EmbeddedPostgres;
import dev.carillon.fixture.Wiretap;
import dev.carillon.model.Failure;
import dev.carillon.model.Report;
import dev.carillon.model.RunFilter;
import dev.carillon.model.RunId;
import dev.carillon.model.RunState;
import dev.carillon.policy.Retry;
import dev.carillon.store.claim.LeaseStore;
import dev.carillon.store.jdbc.StoreException;
import dev.carillon.target.Completion;
import dev.carillon.target.CompletionResult;
import dev.carillon.target.CompletionResult.Answer;
import dev.carillon.target.Lease;
import dev.carillon.target.LeasedRun;
import dev.carillon.target.Outcome;
import dev.carillon.target.Renewal;
import dev.carillon.target.StopReason;
import dev.carillon.testing.ManualCarillon;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Runs that workers have on lease: how they keep them, lose them and end them. */
@ExtendWith(EmbeddedPostgres.class)
class WorkerLeasesTest {
  private final Press press;
  private final Belfry belfry;
  private final ManualCarillon node;
  private final Wiretap tap;
  private final ManualCarillon other;

  WorkerLeasesTest(DataSource postgres) {
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
  void a_batch_of_ends_is_one_commit_and_each_has_its_answer() {
    node.runs().enqueueAll(Collections.nCopies(50, RunDraft.of("press")));
    List<LeasedRun> fetched = press.claim("anna", 50);
    long commits = tap.commits();
    List<CompletionResult> answers =
        press
            .workers()
            .complete(fetched.stream().map(one -> Press.end(one, Outcome.succeeded())).toList());

    assertThat(tap.commits() - commits).isEqualTo(1);
    assertThat(answers)
        .extracting(CompletionResult::id)
        .containsExactlyElementsOf(fetched.stream().map(one -> one.run().id()).toList());
    assertThat(answers).allMatch(answer -> answer.answer() == Answer.DONE);
    assertThat(Press.told(node, Event.Finished.class)).hasSize(50);
    assertThat(node.runs().list(RunFilter.all().state(RunState.SUCCEEDED))).hasSize(50);
  }

  @Test
  void a_bad_end_does_not_harm_the_others() {
    node.runs().enqueueAll(Collections.nCopies(4, RunDraft.of("press")));
    List<LeasedRun> fetched = press.claim("anna", 4);
    RunId nobodys = new RunId(4711, belfry.clock().instant(), 0);
    Lease wrong = new Lease(fetched.get(2).run().id(), 7, fetched.get(2).lease().fence());
    List<CompletionResult> answers =
        press
            .workers()
            .complete(
                List.of(
                    new Completion(new Lease(nobodys, 1, "any"), Outcome.succeeded()),
                    Press.end(fetched.get(0), new Outcome.Canceled("a reason with \0 in it")),
                    new Completion(wrong, Outcome.succeeded()),
                    Press.end(fetched.get(1), Outcome.succeeded()),
                    Press.end(fetched.get(3), Press.BROKEN)));

    assertThat(answers)
        .extracting(CompletionResult::answer)
        .containsExactly(Answer.UNKNOWN, Answer.DONE, Answer.FENCED, Answer.DONE, Answer.DONE);
    assertThat(fetched)
        .extracting(press::state)
        .containsExactly(RunState.FAILED, RunState.SUCCEEDED, RunState.RUNNING, RunState.FAILED);
    assertThat(press.run(fetched.get(0).run().id()).failure().map(Failure::code))
        .contains("unrecordable");
  }

  @Test
  void saying_it_twice_in_one_batch_is_saying_it_once() {
    LeasedRun leasedRun = press.claimed(RunDraft.of("press"));
    List<CompletionResult> answers =
        press
            .workers()
            .complete(
                List.of(
                    Press.end(leasedRun, Outcome.succeeded()),
                    Press.end(leasedRun, Outcome.succeeded())));

    assertThat(answers).extracting(CompletionResult::answer).containsOnly(Answer.DONE);
    assertThat(Press.told(node, Event.Finished.class)).hasSize(1);
  }

  @Test
  void a_worker_that_did_not_hear_the_answer_may_say_it_again() {
    LeasedRun leasedRun = press.claimed(RunDraft.of("press"));
    tap.loseNextConfirmation();
    assertThatExceptionOfType(StoreException.class)
        .isThrownBy(() -> press.complete(leasedRun, Outcome.succeeded()));

    assertThat(press.complete(leasedRun, Outcome.succeeded()).answer()).isEqualTo(Answer.DONE);
    assertThat(press.state(leasedRun)).isEqualTo(RunState.SUCCEEDED);
  }

  @Test
  void a_failure_is_retried_like_any_other() {
    LeasedRun first =
        press.claimed(RunDraft.of("press").retry(Retry.times(2).backoff(Press.LEASE)));
    assertThat(press.complete(first, Press.BROKEN).state()).contains(RunState.PENDING);
    assertThat(press.claim("anna", 1)).isEmpty();
    belfry.pass(Press.LEASE, node);
    LeasedRun second = press.claim("ben", 1).get(0);

    assertThat(second.lease().attempt()).isEqualTo(2);
    assertThat(press.complete(second, Press.BROKEN).state()).contains(RunState.FAILED);
    assertThat(node.runs().deadLetters(10)).hasSize(1);
  }

  @Test
  void a_silent_worker_loses_its_run_to_another_and_what_it_says_later_is_refused() {
    LeasedRun lost = press.claimed(RunDraft.of("press"));
    belfry.pass(Press.LEASE, other);
    node.turn(EngineLoop.HEARTBEAT);
    LeasedRun found = press.claim("ben", 1).get(0);

    assertThat(found.run().id()).isEqualTo(lost.run().id());
    assertThat(found.lease().attempt()).isEqualTo(2);
    assertThat(press.complete(lost, Outcome.succeeded()).answer()).isEqualTo(Answer.FENCED);
    assertThat(press.beat("anna", lost).stop()).contains(StopReason.FENCED);
    assertThat(press.state(lost)).isEqualTo(RunState.RUNNING);
    assertThat(Press.told(node, Event.Fenced.class)).hasSize(1);
    assertThat(press.complete(found, Outcome.succeeded()).answer()).isEqualTo(Answer.DONE);
    assertThat(press.run(found.run().id()).attempts())
        .extracting(attempt -> attempt.failure().code())
        .containsExactly("worker_lost");
  }

  @Test
  void a_worker_that_starts_again_under_its_name_does_not_keep_what_it_forgot() {
    LeasedRun forgotten = press.claimed(RunDraft.of("press"));
    for (int i = 0; i < 4; i++) {
      belfry.pass(Duration.ofSeconds(10), node);
      press.workers().heartbeat("anna", List.of(), Press.LEASE);
    }
    LeasedRun again = press.claim("anna", 1).get(0);

    assertThat(again.run().id()).isEqualTo(forgotten.run().id());
    assertThat(press.complete(forgotten, Outcome.succeeded()).answer()).isEqualTo(Answer.FENCED);
  }

  @Test
  void heartbeats_keep_a_run() {
    LeasedRun leasedRun = press.claimed(RunDraft.of("press"));
    for (int i = 0; i < 6; i++) {
      belfry.pass(Duration.ofSeconds(20), node);
      Renewal renewal = press.beat("anna", leasedRun);
      assertThat(renewal.shouldContinue()).isTrue();
      assertThat(renewal.until()).contains(belfry.clock().instant().plus(Press.LEASE));
    }

    assertThat(press.complete(leasedRun, Outcome.succeeded()).answer()).isEqualTo(Answer.DONE);
  }

  @Test
  void nobody_renews_the_lease_of_another() {
    LeasedRun leasedRun = press.claimed(RunDraft.of("press"));

    assertThat(press.beat("ben", leasedRun).stop()).contains(StopReason.FENCED);
  }

  @Test
  void an_end_counts_until_the_run_was_taken_away() {
    LeasedRun leasedRun = press.claimed(RunDraft.of("press"));
    belfry.clock().advance(Press.LEASE.plusSeconds(5));

    assertThat(press.complete(leasedRun, Outcome.succeeded()).answer()).isEqualTo(Answer.DONE);
  }

  @Test
  void a_run_that_may_happen_at_most_once_is_not_given_to_another() {
    LeasedRun leasedRun = press.claimed(RunDraft.of("press").atMostOnce());
    belfry.pass(Press.LEASE, node);

    assertThat(press.state(leasedRun)).isEqualTo(RunState.FAILED);
    assertThat(press.run(leasedRun.run().id()).failure().map(Failure::code))
        .contains("worker_lost");
    assertThat(press.claim("ben", 1)).isEmpty();
  }

  @Test
  void a_run_that_loses_every_worker_ends_as_a_dead_letter() {
    node.runs().enqueue(RunDraft.of("press"));
    for (int i = 0; i < 3; i++) {
      assertThat(press.claim("anna", 1)).hasSize(1);
      belfry.pass(Press.LEASE, node);
    }

    assertThat(press.claim("anna", 1)).isEmpty();
    assertThat(node.runs().deadLetters(10)).hasSize(1);
  }

  @Test
  void a_worker_learns_of_a_cancellation_by_its_heartbeat() {
    LeasedRun leasedRun = press.claimed(RunDraft.of("press"));
    assertThat(other.runs().cancel(leasedRun.run().id(), "misprint")).contains(RunState.RUNNING);
    Renewal renewal = press.beat("anna", leasedRun);

    assertThat(renewal.stop()).contains(StopReason.CANCELED);
    assertThat(renewal.reason()).isEqualTo("misprint");
    assertThat(press.complete(leasedRun, Press.BROKEN).state()).contains(RunState.CANCELED);
  }

  @Test
  void a_canceled_run_of_a_silent_worker_ends_with_its_lease() {
    LeasedRun leasedRun = press.claimed(RunDraft.of("press"));
    other.runs().cancel(leasedRun.run().id(), "misprint");
    belfry.pass(Press.LEASE, node);

    assertThat(press.state(leasedRun)).isEqualTo(RunState.CANCELED);
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
    LeasedRun leasedRun = press.claim("anna", 1).get(0);
    belfry.pass(Duration.ofSeconds(20), node);
    assertThat(press.beat("anna", leasedRun).until())
        .contains(belfry.clock().instant().plusSeconds(20));
    belfry.clock().advance(Duration.ofSeconds(20));
    assertThat(press.beat("anna", leasedRun).stop()).contains(StopReason.TIMEOUT);
    node.runDue();

    assertThat(press.run(leasedRun.run().id()).failure())
        .contains(Failure.of("timeout", "took longer than PT40S"));
  }

  @Test
  void a_worker_may_pass_its_run_on_to_somebody_who_reports() {
    LeasedRun leasedRun = press.claimed(RunDraft.of("press"));
    CompletionResult answer = press.complete(leasedRun, Outcome.accepted("printer-9"));
    belfry.pass(Press.LEASE.multipliedBy(2), node);

    assertThat(answer.state()).contains(RunState.RUNNING);
    assertThat(press.run(leasedRun.run().id()).externalId()).contains("printer-9");
    assertThat(Press.told(node, Event.Accepted.class)).hasSize(1);
    assertThat(press.complete(leasedRun, Outcome.succeeded()).answer()).isEqualTo(Answer.FENCED);
    assertThat(node.runs().report(leasedRun.run().id(), Report.succeeded()))
        .contains(RunState.SUCCEEDED);
  }

  @Test
  void a_worker_that_stops_gives_its_run_to_recovery() {
    LeasedRun leasedRun = press.claimed(RunDraft.of("press"));
    press.complete(leasedRun, new Outcome.Interrupted("the printer is switched off"));

    assertThat(press.claim("ben", 1))
        .singleElement()
        .satisfies(next -> assertThat(next.lease().attempt()).isEqualTo(2));
  }

  @Test
  void the_worker_of_a_run_is_not_proved_by_its_name_or_id() {
    LeasedRun leasedRun = press.claimed(RunDraft.of("press"));
    RunId id = leasedRun.run().id();
    String guessed = leasedRun.run().node().orElseThrow().toString();
    for (String fence : List.of(guessed, "anna", LeaseStore.worker("anna").toString())) {
      Lease wrong = new Lease(id, 1, fence);
      assertThat(press.workers().heartbeat("anna", List.of(wrong), Press.LEASE).values())
          .extracting(Renewal::stop)
          .containsExactly(Optional.of(StopReason.FENCED));
      assertThat(press.workers().complete(List.of(new Completion(wrong, Outcome.succeeded()))))
          .extracting(CompletionResult::answer)
          .containsExactly(Answer.FENCED);
    }

    assertThat(press.state(leasedRun)).isEqualTo(RunState.RUNNING);
    assertThat(press.complete(leasedRun, Outcome.succeeded()).answer()).isEqualTo(Answer.DONE);
  }

  @Test
  void each_lease_has_a_fence_of_its_own_which_is_in_no_text() {
    node.runs().enqueueAll(Collections.nCopies(2, RunDraft.of("press")));
    List<LeasedRun> fetched = press.claim("anna", 2);
    String fence = fetched.get(0).lease().fence();

    assertThat(fence).hasSize(22).isNotEqualTo(fetched.get(1).lease().fence());
    assertThat(fetched.get(0).toString()).doesNotContain(fence);
    assertThat(Report.succeeded().fence(fence).toString()).doesNotContain(fence);
  }

  @Test
  void a_run_that_was_leased_by_the_version_before_is_proved_by_the_id_of_its_worker() {
    LeasedRun leasedRun = press.claimed(RunDraft.of("press"));
    belfry.psql().execute("update carillon.run set fence_hash = null");
    String former = LeaseStore.worker("anna").toString();
    Lease lease = new Lease(leasedRun.run().id(), 1, former);

    assertThat(press.workers().heartbeat("anna", List.of(lease), Press.LEASE).get(lease.id()))
        .matches(Renewal::shouldContinue);
    assertThat(press.workers().complete(List.of(new Completion(lease, Outcome.succeeded()))))
        .extracting(CompletionResult::answer)
        .containsExactly(Answer.DONE);
  }

  @Test
  void a_report_needs_the_fence_while_a_worker_has_the_run() {
    LeasedRun leasedRun = press.claimed(RunDraft.of("press"));
    RunId id = leasedRun.run().id();
    for (Report report :
        List.of(
            Report.succeeded(),
            Report.succeeded().fence("guessed"),
            Report.succeeded().forAttempt(1))) {
      assertThat(node.runs().report(id, report)).contains(RunState.RUNNING);
    }
    Report named = Report.started(Optional.of("stolen"));
    node.runs().report(id, named);

    assertThat(named.agreesWith(press.run(id))).isFalse();
    assertThat(press.run(id).externalId()).isEmpty();
    assertThat(press.complete(leasedRun, Outcome.succeeded()).answer()).isEqualTo(Answer.DONE);
  }

  @Test
  void a_report_with_the_fence_ends_what_a_worker_has() {
    LeasedRun leasedRun = press.claimed(RunDraft.of("press"));
    node.runs().report(leasedRun.run().id(), Report.succeeded().fence(leasedRun.lease().fence()));

    assertThat(press.beat("anna", leasedRun).shouldContinue()).isFalse();
    assertThat(press.complete(leasedRun, Press.BROKEN).answer()).isEqualTo(Answer.FENCED);
  }
}
