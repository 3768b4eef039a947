package dev.carillon.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.carillon.RunDraft;
import dev.carillon.ScheduleDraft;
import dev.carillon.fixture.Belfry;
import dev.carillon.fixture.EmbeddedPostgres;
import dev.carillon.fixture.SlowTarget;
import dev.carillon.model.Attempt;
import dev.carillon.model.Failure;
import dev.carillon.model.Payload;
import dev.carillon.model.Run;
import dev.carillon.model.RunId;
import dev.carillon.model.RunState;
import dev.carillon.model.ScheduleStatus;
import dev.carillon.model.Trigger;
import dev.carillon.policy.Retry;
import dev.carillon.target.Outcome;
import dev.carillon.target.RunContext;
import dev.carillon.target.StopReason;
import dev.carillon.testing.ManualCarillon;
import dev.carillon.testing.RecordingTarget;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.time.Duration;
import java.time.Instant;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** What a handler is told, and what becomes of a run by how its attempts end. */
@ExtendWith(EmbeddedPostgres.class)
class RunningTest {
  private static final Duration SECOND = Duration.ofSeconds(1);
  private static final Duration MINUTE = Duration.ofMinutes(1);

  private final Belfry belfry;
  private final SlowTarget slow = new SlowTarget();
  private final RecordingTarget bell = new RecordingTarget();
  private final ManualCarillon node;

  RunningTest(DataSource postgres) {
    belfry = new Belfry(postgres);
    node = belfry.node(builder -> builder.asynchronous("slow", slow).target("bell", bell));
  }

  @AfterEach
  void close() {
    belfry.close();
  }

  private Run run(RunId id) {
    return node.runs().get(id).orElseThrow();
  }

  private Instant now() {
    return belfry.clock().instant();
  }

  private Run ended(RunDraft draft) {
    RunId id = node.runs().enqueue(draft);
    node.runDue();
    return run(id);
  }

  @Test
  void a_handler_of_a_schedule_knows_which_slot_of_which_version_it_works_on() {
    node.schedules()
        .create(
            ScheduleDraft.named("minutely")
                .target("bell")
                .cron("* * * * *")
                .payload("room", "hall")
                .timeout(MINUTE));
    node.pass(MINUTE);

    RunContext context = bell.calls().get(0);
    assertThat(context.schedule()).contains("minutely");
    assertThat(context.version()).isEqualTo(1);
    assertThat(context.target()).isEqualTo("bell");
    assertThat(context.trigger()).isEqualTo(Trigger.SCHEDULED);
    assertThat(context.slot()).isEqualTo(Instant.parse("2026-03-01T00:01:00Z"));
    assertThat(context.dueAt()).isEqualTo(context.slot());
    assertThat(context.attempt()).isEqualTo(1);
    assertThat(context.payload()).isEqualTo(Payload.of("room", "hall"));
    assertThat(context.deadline()).contains(Instant.parse("2026-03-01T00:02:00Z"));
    assertThat(context.stop()).isEmpty();
  }

  @Test
  void a_handler_of_an_ad_hoc_run_knows_its_correlation_and_no_schedule() {
    ended(RunDraft.of("bell").correlation("order-7"));

    RunContext context = bell.calls().get(0);
    assertThat(context.schedule()).isEmpty();
    assertThat(context.version()).isZero();
    assertThat(context.trigger()).isEqualTo(Trigger.AD_HOC);
    assertThat(context.correlation()).contains("order-7");
    assertThat(context.deadline()).isEmpty();
  }

  @Test
  void the_idempotency_key_of_a_slot_is_the_digest_of_schedule_and_epoch_second() throws Exception {
    node.schedules().create(ScheduleDraft.named("minutely").target("bell").cron("* * * * *"));
    node.pass(MINUTE);

    byte[] text =
        ("minutely:" + Instant.parse("2026-03-01T00:01:00Z").getEpochSecond())
            .getBytes(StandardCharsets.UTF_8);
    assertThat(bell.calls().get(0).idempotencyKey())
        .isEqualTo(HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(text)));
  }

  @Test
  void the_idempotency_key_is_the_same_for_all_attempts_and_differs_between_runs() {
    bell.failing("no rope");
    node.runs().enqueueAll(List.of(RunDraft.of("bell").retry(Retry.times(2)), RunDraft.of("bell")));
    node.pass(Duration.ofSeconds(3));

    assertThat(bell.calls()).hasSize(3);
    assertThat(bell.calls().stream().map(RunContext::idempotencyKey).distinct()).hasSize(2);
  }

  @Test
  void a_run_keeps_the_payload_it_was_planned_with() {
    node.schedules()
        .create(
            ScheduleDraft.named("minutely")
                .target("slow")
                .cron("* * * * *")
                .payload("room", "hall"));
    node.pass(MINUTE);
    node.schedules().patch("minutely", draft -> draft.payload("room", "tower"));
    slow.last().succeed();
    node.runDue();

    assertThat(run(slow.runs().get(0)).payload()).isEqualTo(Payload.of("room", "hall"));
  }

  @Test
  void a_run_keeps_its_payload_when_it_is_tried_again_after_an_edit() {
    node.schedules()
        .create(
            ScheduleDraft.named("minutely")
                .target("slow")
                .cron("* * * * *")
                .payload("room", "hall")
                .retry(Retry.times(2)));
    node.pass(MINUTE);
    slow.last().fail("broken");
    node.runDue();
    node.schedules().patch("minutely", draft -> draft.payload("room", "tower"));
    node.pass(Duration.ofSeconds(2));

    assertThat(slow.last().context().payload()).isEqualTo(Payload.of("room", "hall"));
  }

  @Test
  void an_attempt_that_takes_too_long_is_told_to_stop() {
    node.runs().enqueue(RunDraft.of("slow").timeout(MINUTE));
    node.pass(MINUTE.minusSeconds(1));
    assertThat(slow.last().stops()).isEmpty();

    node.pass(SECOND);

    assertThat(slow.last().stops()).containsExactly(StopReason.TIMEOUT);
  }

  @Test
  void timeouts_are_looked_at_when_the_first_of_them_is_over() {
    node.runs().enqueue(RunDraft.of("slow"));
    node.runDue();
    Duration poll = node.turn("timeouts");
    node.runs().enqueue(RunDraft.of("slow").timeout(SECOND));
    node.runDue();

    assertThat(node.turn("timeouts")).isEqualTo(SECOND).isLessThan(poll);
  }

  @Test
  void an_attempt_that_stops_when_it_took_too_long_has_failed_by_timeout() {
    RunId id = node.runs().enqueue(RunDraft.of("slow").timeout(MINUTE));
    node.pass(MINUTE);
    slow.last().fail("interrupted");
    node.runDue();

    assertThat(run(id).failure()).contains(Failure.of("timeout", "took longer than PT1M"));
  }

  @Test
  void an_attempt_that_ignores_its_timeout_has_failed_a_moment_later() {
    RunId id = node.runs().enqueue(RunDraft.of("slow").timeout(MINUTE));
    node.pass(MINUTE.plusSeconds(5));

    assertThat(run(id).state()).isEqualTo(RunState.FAILED);
  }

  @Test
  void a_success_after_the_timeout_comes_too_late() {
    RunId id = node.runs().enqueue(RunDraft.of("slow").timeout(MINUTE));
    node.pass(MINUTE);
    slow.last().succeed();
    node.runDue();

    assertThat(run(id).state()).isEqualTo(RunState.FAILED);
  }

  @Test
  void a_timeout_is_tried_again_like_any_failure() {
    RunId id = node.runs().enqueue(RunDraft.of("slow").timeout(MINUTE).retry(Retry.times(2)));
    node.pass(MINUTE);
    slow.last().fail("interrupted");
    node.pass(Duration.ofSeconds(2));

    assertThat(run(id).attempts())
        .extracting(attempt -> attempt.failure().code())
        .containsExactly("timeout");
    assertThat(run(id).state()).isEqualTo(RunState.RUNNING);
  }

  @Test
  void retries_come_after_pauses_that_grow_up_to_a_limit() {
    bell.failing("no rope");
    Retry retry = Retry.times(5).backoff(Duration.ofSeconds(10)).maxBackoff(Duration.ofSeconds(30));
    RunId id = node.runs().enqueue(RunDraft.of("bell").retry(retry));
    Instant start = now();
    node.pass(Duration.ofMinutes(5));

    assertThat(run(id).attempts())
        .extracting(attempt -> Duration.between(start, attempt.startedAt()).toSeconds())
        .containsExactly(0L, 10L, 30L, 60L);
    assertThat(Duration.between(start, run(id).startedAt().orElseThrow()).toSeconds())
        .isEqualTo(90);
  }

  @Test
  void a_retry_waits_as_long_as_the_other_side_asked_for() {
    RunId id = node.runs().enqueue(RunDraft.of("slow").retry(Retry.times(2)));
    node.runDue();
    slow.last()
        .end(
            new Outcome.Failed(
                Failure.of("busy", "come back later"), true, Optional.of(Duration.ofMinutes(3))));
    node.pass(Duration.ofMinutes(3).minusSeconds(1));
    assertThat(run(id).state()).isEqualTo(RunState.PENDING);

    node.pass(SECOND);

    assertThat(run(id).state()).isEqualTo(RunState.RUNNING);
  }

  @Test
  void what_failed_for_good_is_not_tried_again() {
    RunId id = node.runs().enqueue(RunDraft.of("slow").retry(Retry.times(5)));
    node.runDue();
    slow.last().end(Outcome.rejected(Failure.of("bad_request", "no such room")));
    node.runDue();

    assertThat(run(id).state()).isEqualTo(RunState.FAILED);
    assertThat(run(id).attempt()).isEqualTo(1);
  }

  @Test
  void an_exception_is_a_failure_with_its_name_message_and_trace() {
    bell.failing("no rope");

    Failure failure = ended(RunDraft.of("bell")).failure().orElseThrow();

    assertThat(failure.code()).isEqualTo("IllegalStateException");
    assertThat(failure.message()).isEqualTo("no rope");
    assertThat(failure.details().orElseThrow()).contains("RecordingTarget");
  }

  @Test
  void an_exception_without_a_message_is_named() {
    bell.then(
        context -> {
          throw new UnsupportedOperationException();
        });

    assertThat(ended(RunDraft.of("bell")).failure().orElseThrow().message())
        .isEqualTo("UnsupportedOperationException");
  }

  @Test
  void an_exception_of_an_anonymous_class_has_a_code() {
    bell.then(
        context -> {
          throw new IllegalStateException("odd") {};
        });

    assertThat(ended(RunDraft.of("bell")).failure().orElseThrow().code()).contains("RunningTest$");
  }

  @Test
  void an_exception_whose_message_cannot_be_stored_is_stored_readably() {
    bell.failing("nul \0 and half \ud83d of a pair");

    assertThat(ended(RunDraft.of("bell")).failure().orElseThrow().message())
        .isEqualTo("nul \ufffd and half \ufffd of a pair");
  }

  @Test
  void an_exception_with_a_huge_message_is_cut() {
    bell.failing("x".repeat(10_000_000));

    assertThat(ended(RunDraft.of("bell")).failure().orElseThrow().message()).hasSize(2_000);
  }

  @Test
  void an_exception_that_cannot_even_be_described_is_a_failure_too() {
    bell.then(
        context -> {
          throw new IllegalStateException() {
            @Override
            public String getMessage() {
              throw new IllegalStateException("no words");
            }
          };
        });

    assertThat(ended(RunDraft.of("bell")).state()).isEqualTo(RunState.FAILED);
  }

  @Test
  void an_error_of_the_machine_is_a_failure_of_the_run_alone() {
    bell.then(
        context -> {
          throw new OutOfMemoryError("as the test wanted");
        });

    assertThat(ended(RunDraft.of("bell")).failure().orElseThrow().code())
        .isEqualTo("OutOfMemoryError");
  }

  @Test
  void endless_recursion_is_a_failure_of_the_run_alone() {
    bell.then(context -> recurse(1));

    assertThat(ended(RunDraft.of("bell")).failure().orElseThrow().code())
        .isEqualTo("StackOverflowError");
  }

  @SuppressWarnings("InfiniteRecursion")
  private static int recurse(int depth) {
    return recurse(depth + 1) + 1;
  }

  @Test
  void a_target_that_throws_after_it_said_done_is_done() {
    var other =
        belfry.node(
            builder ->
                builder.asynchronous(
                    "odd",
                    (context, done) -> {
                      done.accept(Outcome.succeeded());
                      throw new IllegalStateException("too late");
                    }));
    RunId id = other.runs().enqueue(RunDraft.of("odd"));
    other.runDue();

    assertThat(run(id).state()).isEqualTo(RunState.SUCCEEDED);
  }

  @Test
  void the_first_of_two_outcomes_counts() {
    RunId id = node.runs().enqueue(RunDraft.of("slow"));
    node.runDue();
    slow.last().fail("first");
    slow.last().succeed();
    node.runDue();

    assertThat(run(id).failure().orElseThrow().code()).isEqualTo("first");
  }

  @Test
  void an_interrupt_left_behind_by_a_handler_reaches_nobody_else() {
    bell.then(context -> Thread.currentThread().interrupt());
    ended(RunDraft.of("bell"));

    assertThat(Thread.currentThread().isInterrupted()).isFalse();
  }

  @Test
  void progress_is_shown_while_the_run_works() {
    RunId id = node.runs().enqueue(RunDraft.of("slow"));
    node.runDue();
    slow.last().context().progress("3 of 7");
    node.turn("heartbeat");

    assertThat(run(id).progress()).contains("3 of 7");
  }

  @Test
  void progress_that_cannot_be_stored_is_shown_readably() {
    RunId id = node.runs().enqueue(RunDraft.of("slow"));
    node.runDue();
    slow.last().context().progress("\0" + "x".repeat(197) + "\ud83d\udd14\ud83d\udd14");
    node.turn("heartbeat");

    assertThat(run(id).progress().orElseThrow()).hasSize(200).endsWith("…");
  }

  @Test
  void the_last_progress_stays_with_a_finished_run() {
    RunId id = node.runs().enqueue(RunDraft.of("slow"));
    node.runDue();
    slow.last().context().progress("3 of 7");
    node.turn("heartbeat");
    slow.last().succeed();
    node.runDue();

    assertThat(run(id).progress()).contains("3 of 7");
  }

  @Test
  void a_pending_run_is_canceled_at_once() {
    RunId id = node.runs().enqueue(RunDraft.of("bell").in(MINUTE));

    assertThat(node.runs().cancel(id, "not needed")).contains(RunState.CANCELED);
    node.pass(MINUTE);

    assertThat(run(id).reason()).contains("not needed");
    assertThat(bell.calls()).isEmpty();
  }

  @Test
  void a_running_run_is_asked_to_stop() {
    RunId id = node.runs().enqueue(RunDraft.of("slow"));
    node.runDue();

    assertThat(node.runs().cancel(id, "not needed")).contains(RunState.RUNNING);
    node.runDue();

    assertThat(slow.last().stops()).containsExactly(StopReason.CANCELED);
    assertThat(run(id).reason()).contains("not needed");
  }

  @Test
  void a_run_that_stops_when_asked_to_is_canceled() {
    RunId id = node.runs().enqueue(RunDraft.of("slow").retry(Retry.times(3)));
    node.runDue();
    node.runs().cancel(id, "not needed");
    node.runDue();
    slow.last().fail("stopped");
    node.runDue();

    assertThat(run(id).state()).isEqualTo(RunState.CANCELED);
    assertThat(run(id).reason()).contains("not needed");
  }

  @Test
  void a_run_that_succeeds_although_it_was_asked_to_stop_has_succeeded() {
    RunId id = node.runs().enqueue(RunDraft.of("slow"));
    node.runDue();
    node.runs().cancel(id, "not needed");
    node.runDue();
    slow.last().succeed();
    node.runDue();

    assertThat(run(id).state()).isEqualTo(RunState.SUCCEEDED);
  }

  @Test
  void a_run_that_fails_before_it_learns_of_its_cancellation_is_not_tried_again() {
    RunId id = node.runs().enqueue(RunDraft.of("slow").retry(Retry.times(3)));
    node.runDue();
    node.runs().cancel(id, "not needed");
    slow.last().fail("broken");
    node.turn("completion");

    assertThat(run(id).state()).isEqualTo(RunState.CANCELED);
  }

  @Test
  void a_run_that_waits_for_its_retry_is_canceled_at_once() {
    RunId id = node.runs().enqueue(RunDraft.of("slow").retry(Retry.times(3)));
    node.runDue();
    slow.last().fail("broken");
    node.runDue();

    assertThat(node.runs().cancel(id, "not needed")).contains(RunState.CANCELED);
    assertThat(run(id).attempts()).hasSize(1);
  }

  @Test
  void nothing_is_canceled_that_is_over_or_unknown() {
    Run over = ended(RunDraft.of("bell"));

    assertThat(node.runs().cancel(over.id(), "too late")).isEmpty();
    assertThat(node.runs().cancel(new RunId(999_999, now(), 0), "who?")).isEmpty();
    assertThat(run(over.id()).state()).isEqualTo(RunState.SUCCEEDED);
  }

  @Test
  void runs_of_one_correlation_are_canceled_together() {
    List<RunId> mine =
        node.runs()
            .enqueueAll(
                List.of(
                    RunDraft.of("bell").in(MINUTE).correlation("order-7"),
                    RunDraft.of("slow").in(MINUTE).correlation("order-7")));
    RunId other = node.runs().enqueue(RunDraft.of("bell").in(MINUTE).correlation("order-8"));

    assertThat(node.runs().cancelAll("order-7", "order withdrawn")).isEqualTo(2);

    assertThat(mine).allSatisfy(id -> assertThat(run(id).state()).isEqualTo(RunState.CANCELED));
    assertThat(run(other).state()).isEqualTo(RunState.PENDING);
  }

  @Test
  void canceling_by_correlation_leaves_what_has_started() {
    RunId id = node.runs().enqueue(RunDraft.of("slow").correlation("order-7"));
    node.runDue();

    assertThat(node.runs().cancelAll("order-7", "order withdrawn")).isZero();
    assertThat(run(id).state()).isEqualTo(RunState.RUNNING);
  }

  @Test
  void a_canceled_run_can_be_run_again() {
    RunId id = node.runs().enqueue(RunDraft.of("bell").in(MINUTE));
    node.runs().cancel(id, "not needed");

    assertThat(node.runs().retry(id).orElseThrow().state()).isEqualTo(RunState.PENDING);
    node.runDue();

    assertThat(run(id).state()).isEqualTo(RunState.SUCCEEDED);
    assertThat(run(id).reason()).isEmpty();
  }

  @Test
  void a_skipped_run_can_be_run_again() {
    node.schedules().create(ScheduleDraft.named("minutely").target("slow").cron("* * * * *"));
    node.schedules().runNow("minutely");
    RunId skipped = node.schedules().runNow("minutely").orElseThrow().id();
    node.runDue();
    assertThat(run(skipped).state()).isEqualTo(RunState.SKIPPED);
    slow.last().succeed();
    node.runDue();

    node.runs().retry(skipped);
    node.runDue();

    assertThat(run(skipped).state()).isEqualTo(RunState.RUNNING);
  }

  @Test
  void what_succeeded_or_is_not_over_is_not_run_again() {
    Run over = ended(RunDraft.of("bell"));
    RunId pending = node.runs().enqueue(RunDraft.of("bell").in(MINUTE));

    assertThat(node.runs().retry(over.id())).isEmpty();
    assertThat(node.runs().retry(pending)).isEmpty();
    assertThat(node.runs().retry(new RunId(999_999, now(), 0))).isEmpty();
  }

  @Test
  void dead_letters_are_listed_the_latest_first() {
    bell.failing("no rope");
    RunId first = ended(RunDraft.of("bell")).id();
    belfry.clock().advance(SECOND);
    RunId second = ended(RunDraft.of("bell")).id();

    assertThat(node.runs().deadLetters(10)).extracting(Run::id).containsExactly(second, first);
  }

  @Test
  void a_dead_letter_is_driven_again_with_the_next_attempt_number() {
    bell.failing("no rope");
    RunId id = ended(RunDraft.of("bell").payload("room", "hall")).id();
    node.runs().redrive(List.of(id));
    node.runDue();

    assertThat(run(id).attempt()).isEqualTo(2);
    assertThat(run(id).attempts()).extracting(Attempt::number).containsExactly(1);
    assertThat(bell.calls().get(1).payload()).isEqualTo(Payload.of("room", "hall"));
  }

  @Test
  void a_dead_letter_is_driven_again_with_another_payload() {
    bell.failing("no rope");
    RunId id = ended(RunDraft.of("bell").payload("room", "hall")).id();
    node.runs().retry(id, Payload.of("room", "tower"));
    node.runDue();

    assertThat(bell.calls().get(1).payload()).isEqualTo(Payload.of("room", "tower"));
  }

  @Test
  void a_dead_letter_that_is_driven_again_is_no_dead_letter_meanwhile() {
    bell.failing("no rope");
    RunId id = ended(RunDraft.of("bell")).id();

    assertThat(node.runs().redrive(List.of(id, id))).isEqualTo(1);
    assertThat(node.runs().deadLetters(10)).isEmpty();
  }

  @Test
  void a_dead_letter_has_all_its_retries_each_time_it_is_driven_again() {
    bell.failing("no rope");
    RunId id = ended(RunDraft.of("bell").retry(Retry.times(3))).id();
    node.pass(MINUTE);
    node.runs().redrive(List.of(id));
    node.pass(MINUTE);
    node.runs().redrive(List.of(id));
    node.pass(MINUTE);

    assertThat(run(id).state()).isEqualTo(RunState.FAILED);
    assertThat(run(id).attempt()).isEqualTo(9);
  }

  @Test
  void the_pauses_of_a_dead_letter_that_is_driven_again_begin_anew() {
    bell.failing("no rope");
    RunId id = ended(RunDraft.of("bell").retry(Retry.times(3))).id();
    node.pass(MINUTE);
    node.runs().redrive(List.of(id));
    node.runDue();
    bell.then(context -> {});
    node.pass(Duration.ofSeconds(2));

    assertThat(run(id).state()).isEqualTo(RunState.SUCCEEDED);
  }

  @Test
  void a_schedule_is_paused_after_so_many_failures_in_a_row() {
    bell.failing("no rope");
    node.schedules()
        .create(
            ScheduleDraft.named("minutely").target("bell").cron("* * * * *").pauseAfterFailures(3));
    node.pass(MINUTE.multipliedBy(10));

    var schedule = node.schedules().get("minutely").orElseThrow();
    assertThat(schedule.status()).isEqualTo(ScheduleStatus.PAUSED);
    assertThat(schedule.pause().orElseThrow().reason())
        .isEqualTo("3 failures in a row, the last: IllegalStateException: no rope");
    assertThat(bell.calls()).hasSize(3);
  }

  @Test
  void a_success_in_between_starts_the_count_of_failures_anew() {
    bell.then(
        context -> {
          if (context.slot().getEpochSecond() % 180 != 0) {
            throw new IllegalStateException("no rope");
          }
        });
    node.schedules()
        .create(
            ScheduleDraft.named("minutely").target("bell").cron("* * * * *").pauseAfterFailures(3));
    node.pass(MINUTE.multipliedBy(10));

    assertThat(node.schedules().get("minutely").orElseThrow().status())
        .isEqualTo(ScheduleStatus.ACTIVE);
  }

  @Test
  void attempts_that_are_tried_again_do_not_count_as_failures_of_the_schedule() {
    bell.then(
        context -> {
          if (context.attempt() < 3) {
            throw new IllegalStateException("no rope");
          }
        });
    node.schedules()
        .create(
            ScheduleDraft.named("minutely")
                .target("bell")
                .cron("* * * * *")
                .retry(Retry.times(3))
                .pauseAfterFailures(1));
    node.pass(MINUTE.multipliedBy(3));

    assertThat(node.schedules().get("minutely").orElseThrow().status())
        .isEqualTo(ScheduleStatus.ACTIVE);
  }

  @Test
  void a_resumed_schedule_counts_its_failures_anew() {
    bell.failing("no rope");
    node.schedules()
        .create(
            ScheduleDraft.named("minutely").target("bell").cron("* * * * *").pauseAfterFailures(2));
    node.pass(MINUTE.multipliedBy(2));
    node.schedules().resume("minutely");
    node.pass(MINUTE);

    assertThat(node.schedules().get("minutely").orElseThrow().status())
        .isEqualTo(ScheduleStatus.ACTIVE);
  }

  @Test
  void delayed_work_starts_when_its_delay_is_over_and_not_before() {
    RunId id = node.runs().enqueue(RunDraft.of("bell").in(Duration.parse("PT15M")));
    node.pass(Duration.ofMinutes(15).minusMillis(1));
    assertThat(run(id).state()).isEqualTo(RunState.PENDING);

    node.pass(Duration.ofMillis(1));

    assertThat(run(id).state()).isEqualTo(RunState.SUCCEEDED);
    assertThat(run(id).lateness()).contains(Duration.ZERO);
  }

  @Test
  void work_for_a_time_that_has_passed_starts_at_once() {
    Run run = ended(RunDraft.of("bell").at(now().minus(Duration.ofDays(3))));

    assertThat(run.state()).isEqualTo(RunState.SUCCEEDED);
    assertThat(run.lateness()).contains(Duration.ofDays(3));
  }

  @Test
  void the_history_of_a_run_tells_all_there_is_to_know() {
    RunId id =
        node.runs()
            .enqueue(
                RunDraft.of("slow")
                    .payload("room", "hall")
                    .correlation("order-7")
                    .retry(Retry.times(2)));
    Instant due = now();
    node.runDue();
    slow.last().fail("broken");
    node.runDue();
    node.pass(Duration.ofSeconds(2));
    belfry.clock().advance(Duration.ofSeconds(3));
    slow.last().end(Outcome.failed(new Failure("gone", "no bell", Optional.of("at the top"))));
    node.runDue();

    Run run = run(id);
    assertThat(run.slot()).isEqualTo(due);
    assertThat(run.dueAt()).isEqualTo(due);
    assertThat(run.startedAt()).contains(due.plusSeconds(2));
    assertThat(run.finishedAt()).contains(due.plusSeconds(5));
    assertThat(run.duration()).contains(Duration.ofSeconds(3));
    assertThat(run.state()).isEqualTo(RunState.FAILED);
    assertThat(run.trigger()).isEqualTo(Trigger.AD_HOC);
    assertThat(run.attempt()).isEqualTo(2);
    assertThat(run.payload()).isEqualTo(Payload.of("room", "hall"));
    assertThat(run.node()).contains(node.carillon().node());
    assertThat(run.failure()).contains(new Failure("gone", "no bell", Optional.of("at the top")));
    assertThat(run.correlation()).contains("order-7");
    assertThat(run.attempts())
        .containsExactly(
            new Attempt(
                1,
                Optional.of(node.carillon().node()),
                due,
                due,
                Failure.of("broken", "as the test wanted")));
  }
}
