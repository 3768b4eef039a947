package dev.carillon.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.carillon.Carillon;
import dev.carillon.RunDraft;
import dev.carillon.ScheduleDraft;
import dev.carillon.event.EngineLoop;
import dev.carillon.event.Event;
import dev.carillon.fixture.Belfry;
import dev.carillon.fixture.EmbeddedPostgres;
import dev.carillon.fixture.SlowTarget;
import dev.carillon.model.EndReason;
import dev.carillon.model.Failure;
import dev.carillon.model.Report;
import dev.carillon.model.Run;
import dev.carillon.model.RunFilter;
import dev.carillon.model.RunId;
import dev.carillon.model.RunState;
import dev.carillon.policy.Overlap;
import dev.carillon.policy.Retry;
import dev.carillon.target.Outcome;
import dev.carillon.testing.ManualCarillon;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Runs that somebody else has accepted: they go on without their node, and end by a report. */
@ExtendWith(EmbeddedPostgres.class)
class AcceptedRunsTest {
  private static final Duration LEASE = Duration.ofSeconds(15);
  private static final Failure BROKEN = Failure.of("broken", "it broke over there");

  private final DataSource postgres;
  private final Belfry belfry;
  private final SlowTarget slow = new SlowTarget();
  private final ManualCarillon one;
  private final ManualCarillon other;

  AcceptedRunsTest(DataSource postgres) {
    this.postgres = postgres;
    belfry = new Belfry(postgres);
    one = belfry.node(builder -> builder.asyncTarget("job", slow).concurrency(1));
    other = belfry.node(builder -> builder.remoteTarget("job"));
  }

  @AfterEach
  void close() {
    belfry.close();
  }

  private Run run(RunId id) {
    return one.runs().get(id).orElseThrow();
  }

  private static <T extends Event> List<T> told(ManualCarillon node, Class<T> type) {
    return node.events().stream().filter(type::isInstance).map(type::cast).toList();
  }

  private RunId started(RunDraft draft) {
    RunId id = one.runs().enqueue(draft);
    one.runDue();
    return id;
  }

  private RunId accepted(RunDraft draft) {
    RunId id = started(draft);
    accept("job-" + slow.calls().size());
    return id;
  }

  private void accept(String externalId) {
    slow.last().end(Outcome.accepted(externalId));
    one.runDue();
  }

  private ScheduleDraft minutely(Overlap overlap) {
    return ScheduleDraft.named("minutely")
        .target("job")
        .every(Duration.ofMinutes(1))
        .overlap(overlap);
  }

  private List<String> states() {
    return one.runs().list(RunFilter.bySchedule("minutely")).stream()
        .filter(run -> !run.slot().isAfter(belfry.clock().instant()))
        .map(run -> run.state().toString())
        .toList();
  }

  @Test
  void an_accepted_run_goes_on_under_the_name_others_call_it() {
    RunId id = accepted(RunDraft.of("job"));

    assertThat(run(id).state()).isEqualTo(RunState.RUNNING);
    assertThat(run(id).externalId()).contains("job-1");
    assertThat(run(id).node()).contains(one.carillon().nodeId());
    assertThat(told(one, Event.Accepted.class))
        .singleElement()
        .satisfies(
            event -> {
              assertThat(event.run().id()).isEqualTo(id);
              assertThat(event.attempt()).isEqualTo(1);
              assertThat(event.externalId()).contains("job-1");
            });
  }

  @Test
  void a_run_that_is_done_at_once_is_known_by_the_name_others_call_it() {
    RunId id = started(RunDraft.of("job"));
    slow.last().end(new Outcome.Succeeded(Optional.of("there-7")));
    one.runDue();

    assertThat(run(id).state()).isEqualTo(RunState.SUCCEEDED);
    assertThat(run(id).externalId()).contains("there-7");
  }

  @Test
  void a_target_says_how_long_its_reports_are_waited_for() {
    RunId id = started(RunDraft.of("job"));
    slow.last().end(new Outcome.Accepted(Optional.empty(), Optional.of(Duration.ofMinutes(5))));
    one.runDue();
    belfry.clock().advance(Duration.ofMinutes(4));
    one.runDue();
    RunState before = run(id).state();
    belfry.clock().advance(Duration.ofMinutes(2));
    one.runDue();

    assertThat(before).isEqualTo(RunState.RUNNING);
    assertThat(run(id).failure().map(Failure::code)).contains("timeout");
  }

  @Test
  void the_timeout_of_a_run_outweighs_what_its_target_says() {
    RunId id = started(RunDraft.of("job").timeout(Duration.ofMinutes(1)));
    slow.last().end(new Outcome.Accepted(Optional.empty(), Optional.of(Duration.ofDays(5))));
    one.runDue();
    belfry.clock().advance(Duration.ofMinutes(2));
    one.runDue();

    assertThat(run(id).failure().map(Failure::code)).contains("timeout");
  }

  @Test
  void an_accepted_run_takes_no_room_on_its_node() {
    accepted(RunDraft.of("job"));
    started(RunDraft.of("job"));

    assertThat(slow.calls()).hasSize(2);
  }

  @Test
  void a_report_on_any_node_ends_it() {
    RunId id = accepted(RunDraft.of("job"));
    belfry.clock().advance(Duration.ofMinutes(3));

    assertThat(other.runs().report(id, Report.succeeded())).contains(RunState.SUCCEEDED);
    assertThat(run(id).duration()).contains(Duration.ofMinutes(3));
    assertThat(run(id).externalId()).contains("job-1");
    assertThat(told(other, Event.Finished.class))
        .singleElement()
        .satisfies(event -> assertThat(event.state()).isEqualTo(RunState.SUCCEEDED));
    Instant now = belfry.clock().instant();
    assertThat(one.runs().counts(now.minusSeconds(7200), now.plusSeconds(3600)))
        .containsEntry(RunState.SUCCEEDED, 1L);
  }

  @Test
  void the_death_of_its_node_does_not_touch_it() {
    RunId id = accepted(RunDraft.of("job"));
    belfry.pass(LEASE.plusSeconds(5), other);

    assertThat(run(id).state()).isEqualTo(RunState.RUNNING);
    assertThat(run(id).attempts()).isEmpty();
    assertThat(other.carillon().nodes()).hasSize(1);
    assertThat(other.runs().report(id, Report.succeeded())).contains(RunState.SUCCEEDED);
  }

  @Test
  void a_node_that_leaves_does_not_take_it_along() {
    RunId id = accepted(RunDraft.of("job"));
    one.close();
    other.runDue();

    assertThat(run(id).state()).isEqualTo(RunState.RUNNING);
  }

  @Test
  void what_is_accepted_while_the_node_stops_goes_on() throws Exception {
    one.close();
    var begun = new CountDownLatch(1);
    RunId id;
    try (Carillon stopping =
        Carillon.builder()
            .dataSource(postgres)
            .migrate(false)
            .drain(Duration.ZERO)
            .asyncTarget(
                "job",
                (context, done) -> {
                  context.onStop(reason -> done.accept(Outcome.accepted("at the last moment")));
                  begun.countDown();
                })
            .build()
            .start()) {
      id = stopping.runs().enqueue(RunDraft.of("job"));
      begun.await();
    }

    assertThat(run(id).state()).isEqualTo(RunState.RUNNING);
    assertThat(run(id).externalId()).contains("at the last moment");
  }

  @Test
  void it_times_out_like_any_attempt_whichever_node_is_left() {
    one.schedules().create(minutely(Overlap.ALLOW).timeout(Duration.ofSeconds(30)).maxRuns(1));
    one.pass(Duration.ofMinutes(1));
    accept("job-1");
    RunId id = slow.last().context().id();
    belfry.pass(Duration.ofSeconds(29), other);
    assertThat(run(id).state()).isEqualTo(RunState.RUNNING);
    belfry.pass(Duration.ofSeconds(1), other);

    assertThat(run(id).state()).isEqualTo(RunState.FAILED);
    assertThat(run(id).failure()).contains(Failure.of("timeout", "took longer than PT30S"));
  }

  @Test
  void one_without_a_timeout_is_given_up_after_a_day() {
    RunId id = accepted(RunDraft.of("job"));
    other.pass(Duration.ofHours(24).minusSeconds(1));
    assertThat(run(id).state()).isEqualTo(RunState.RUNNING);
    other.pass(Duration.ofSeconds(1));

    assertThat(run(id).failure()).contains(Failure.of("timeout", "nobody reported how it ended"));
  }

  @Test
  void how_long_one_without_a_timeout_may_take_is_a_setting() {
    ManualCarillon impatient =
        belfry.node(
            builder -> builder.asyncTarget("quick", slow).acceptedTimeout(Duration.ofMinutes(2)));
    RunId id = impatient.runs().enqueue(RunDraft.of("quick"));
    impatient.runDue();
    slow.last().end(Outcome.accepted());
    impatient.runDue();
    impatient.pass(Duration.ofMinutes(2));

    assertThat(run(id).state()).isEqualTo(RunState.FAILED);
  }

  @Test
  void a_timeout_is_told_once_however_many_nodes_look() {
    RunId id = accepted(RunDraft.of("job"));
    belfry.clock().advance(Duration.ofHours(24));
    other.runDue();
    one.runDue();

    assertThat(run(id).state()).isEqualTo(RunState.FAILED);
    assertThat(told(one, Event.Finished.class).size() + told(other, Event.Finished.class).size())
        .isEqualTo(1);
  }

  @Test
  void a_reported_failure_is_retried_like_any_other() {
    RunId id = accepted(RunDraft.of("job").retry(Retry.times(2).backoff(Duration.ofSeconds(10))));
    assertThat(other.runs().report(id, Report.failed(BROKEN))).contains(RunState.PENDING);
    assertThat(run(id).externalId()).isEmpty();
    assertThat(told(other, Event.Retrying.class)).hasSize(1);
    one.pass(Duration.ofSeconds(10));
    accept("job-again");

    assertThat(run(id).attempt()).isEqualTo(2);
    assertThat(run(id).externalId()).contains("job-again");
    assertThat(run(id).attempts()).extracting(attempt -> attempt.failure()).containsExactly(BROKEN);
    assertThat(other.runs().report(id, Report.failed(BROKEN))).contains(RunState.FAILED);
    assertThat(one.runs().deadLetters(10)).extracting(Run::id).containsExactly(id);
  }

  @Test
  void reported_failures_pull_the_brake() {
    one.schedules().create(minutely(Overlap.SKIP).pauseAfterFailures(1));
    one.pass(Duration.ofMinutes(1));
    accept("job-1");
    other.runs().report(slow.last().context().id(), Report.failed(BROKEN));

    assertThat(one.schedules().get("minutely").orElseThrow().pause()).isPresent();
  }

  @Test
  void an_accepted_run_makes_the_next_one_skip() {
    one.schedules().create(minutely(Overlap.SKIP));
    one.pass(Duration.ofMinutes(1));
    accept("job-1");
    one.pass(Duration.ofMinutes(1));

    assertThat(states()).containsExactly("SKIPPED", "RUNNING");
  }

  @Test
  void a_queued_run_starts_when_the_accepted_one_is_reported() {
    one.schedules().create(minutely(Overlap.QUEUE));
    one.pass(Duration.ofMinutes(1));
    accept("job-1");
    RunId first = slow.last().context().id();
    one.pass(Duration.ofMinutes(1));
    assertThat(states()).containsExactly("PENDING", "RUNNING");
    other.runs().report(first, Report.succeeded());
    one.runDue();

    assertThat(states()).containsExactly("RUNNING", "SUCCEEDED");
  }

  @Test
  void a_newer_run_replaces_an_accepted_one_at_once() {
    one.schedules().create(minutely(Overlap.CANCEL_PREVIOUS));
    one.pass(Duration.ofMinutes(1));
    accept("job-1");
    one.pass(Duration.ofMinutes(1));

    assertThat(states()).containsExactly("RUNNING", "CANCELED");
    assertThat(slow.calls()).hasSize(2);
  }

  @Test
  void a_repeated_report_has_the_effect_of_one() {
    RunId id = accepted(RunDraft.of("job"));
    other.runs().report(id, Report.succeeded());

    assertThat(one.runs().report(id, Report.succeeded())).contains(RunState.SUCCEEDED);
    assertThat(one.runs().report(id, Report.failed(BROKEN))).contains(RunState.SUCCEEDED);
    assertThat(told(one, Event.Finished.class)).isEmpty();
    assertThat(run(id).failure()).isEmpty();
  }

  @Test
  void a_report_about_an_earlier_attempt_changes_nothing() {
    RunId id = accepted(RunDraft.of("job").retry(Retry.times(2).backoff(Duration.ZERO)));
    other.runs().report(id, Report.failed(BROKEN).forAttempt(1));
    one.runDue();
    accept("job-again");

    assertThat(other.runs().report(id, Report.succeeded().forAttempt(1)))
        .contains(RunState.RUNNING);
    assertThat(run(id).state()).isEqualTo(RunState.RUNNING);
    assertThat(Report.failed(BROKEN).forAttempt(1).agreesWith(run(id))).isTrue();
    assertThat(Report.failed(BROKEN).agreesWith(run(id))).isTrue();
    assertThat(Report.failed(BROKEN).forAttempt(2).agreesWith(run(id))).isFalse();
    assertThat(Report.succeeded().forAttempt(1).agreesWith(run(id))).isFalse();
    assertThat(Report.started().forAttempt(1).agreesWith(run(id))).isFalse();
    assertThat(Report.started().forAttempt(2).agreesWith(run(id))).isTrue();
    assertThat(other.runs().report(id, Report.succeeded().forAttempt(2)))
        .contains(RunState.SUCCEEDED);
  }

  @Test
  void a_report_may_come_before_the_node_has_heard_of_the_acceptance() {
    RunId id = started(RunDraft.of("job"));
    assertThat(other.runs().report(id, Report.succeeded().externalId("fast")))
        .contains(RunState.SUCCEEDED);
    accept("fast");

    assertThat(run(id).state()).isEqualTo(RunState.SUCCEEDED);
    assertThat(run(id).externalId()).contains("fast");
    assertThat(told(one, Event.Accepted.class)).isEmpty();
    assertThat(told(one, Event.Fenced.class)).isEmpty();
  }

  @Test
  void what_a_node_says_of_an_attempt_that_was_reported_does_not_touch_the_next() {
    RunId id = started(RunDraft.of("job").retry(Retry.times(2).backoff(Duration.ZERO)));
    SlowTarget.Call first = slow.last();
    other.runs().report(id, Report.failed(BROKEN));
    belfry.clock().advance(Duration.ofMillis(1));
    ManualCarillon third = belfry.node(builder -> builder.asyncTarget("job", slow));
    third.runDue();
    first.end(Outcome.accepted("late"));
    one.runDue();
    slow.last().end(Outcome.accepted("second"));
    third.runDue();

    assertThat(run(id).attempt()).isEqualTo(2);
    assertThat(run(id).externalId()).contains("second");
    assertThat(run(id).node()).contains(third.carillon().nodeId());
  }

  @Test
  void a_node_that_lost_its_lease_hands_nothing_over() {
    RunId id = started(RunDraft.of("job"));
    belfry.pass(LEASE.plusSeconds(5), other);
    slow.last().end(Outcome.accepted("too late"));
    one.turn(EngineLoop.COMPLETION);

    assertThat(run(id).state()).isEqualTo(RunState.PENDING);
    assertThat(run(id).externalId()).isEmpty();
    assertThat(told(one, Event.Fenced.class)).hasSize(1);
  }

  @Test
  void canceling_ends_it_at_once() {
    RunId id = accepted(RunDraft.of("job"));

    assertThat(other.runs().cancel(id, "not needed")).contains(RunState.CANCELED);
    assertThat(run(id).state()).isEqualTo(RunState.CANCELED);
    assertThat(run(id).reason()).contains("not needed");
    assertThat(told(other, Event.Finished.class))
        .singleElement()
        .satisfies(event -> assertThat(event.reason()).contains(EndReason.canceled("not needed")));
    assertThat(other.runs().report(id, Report.succeeded())).contains(RunState.CANCELED);
  }

  @Test
  void what_was_asked_to_stop_before_it_was_accepted_ends_when_it_is() {
    RunId id = started(RunDraft.of("job"));
    assertThat(other.runs().cancel(id, "not needed")).contains(RunState.RUNNING);
    slow.last().end(Outcome.accepted("job-1"));
    one.turn(EngineLoop.COMPLETION);

    assertThat(run(id).state()).isEqualTo(RunState.CANCELED);
    assertThat(told(one, Event.Finished.class)).hasSize(1);
    assertThat(told(one, Event.Accepted.class)).isEmpty();
  }

  @Test
  void a_failure_of_what_was_asked_to_stop_is_a_cancellation() {
    RunId id = started(RunDraft.of("job").retry(Retry.times(3)));
    other.runs().cancel(id, "not needed");

    assertThat(other.runs().report(id, Report.failed(BROKEN))).contains(RunState.CANCELED);
  }

  @Test
  void that_it_has_begun_elsewhere_only_gives_it_a_name() {
    RunId id = started(RunDraft.of("job"));

    assertThat(other.runs().report(id, Report.started(Optional.of("wf-1"))))
        .contains(RunState.RUNNING);
    assertThat(run(id).externalId()).contains("wf-1");
    slow.last().end(Outcome.accepted());
    one.runDue();
    assertThat(run(id).externalId()).contains("wf-1");
  }

  @Test
  void a_run_that_is_not_running_cannot_be_reported_on() {
    RunId id = one.runs().enqueue(RunDraft.of("job").in(Duration.ofHours(1)));

    assertThat(one.runs().report(id, Report.succeeded())).contains(RunState.PENDING);
    assertThat(run(id).state()).isEqualTo(RunState.PENDING);
    assertThat(one.runs().report(new RunId(4711, id.slot(), 0), Report.succeeded())).isEmpty();
  }

  @Test
  void a_one_shot_retires_when_its_run_is_reported() {
    Instant at = belfry.clock().instant().plusSeconds(60);
    one.schedules().create(ScheduleDraft.named("once").target("job").at(at));
    one.pass(Duration.ofMinutes(1));
    accept("job-1");
    assertThat(belfry.psql().rows("select status from carillon.schedule"))
        .containsExactly("active");
    other.runs().report(slow.last().context().id(), Report.succeeded());

    assertThat(belfry.psql().rows("select status from carillon.schedule"))
        .containsExactly("retired");
  }

  @Test
  void a_name_that_cannot_be_kept_is_refused() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Outcome.accepted(" "))
        .withMessage("an external id has 1 to 500 characters; this one has none but blanks");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Report.succeeded().externalId("x".repeat(501)))
        .withMessage("an external id has 1 to 500 characters; this one has 501");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Report.started(Optional.of("a\0b")))
        .withMessage(
            "an external id must not hold \\u0000 or half of a surrogate pair; remove them");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Report.succeeded().forAttempt(0))
        .withMessage("attempts count from 1; was 0");
  }
}
