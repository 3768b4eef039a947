package dev.carillon.engine;

import static dev.carillon.engine.Chime.ended;
import static dev.carillon.engine.Chime.run;
import static org.assertj.core.api.Assertions.assertThat;

import dev.carillon.RunDraft;
import dev.carillon.ScheduleDraft;
import dev.carillon.fixture.EmbeddedPostgres;
import dev.carillon.fixture.SlowTarget;
import dev.carillon.model.Failure;
import dev.carillon.model.RunId;
import dev.carillon.model.RunState;
import dev.carillon.model.ScheduleStatus;
import dev.carillon.policy.Retry;
import dev.carillon.target.Outcome;
import dev.carillon.testing.ManualCarillon;
import dev.carillon.testing.RecordingTarget;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** What becomes of runs and of their schedules when attempts fail, whatever they throw. */
@ExtendWith(EmbeddedPostgres.class)
class FailuresTest {
  private static final Duration SECOND = Duration.ofSeconds(1);
  private static final Duration MINUTE = Duration.ofMinutes(1);

  private final Chime chime;
  private final ManualCarillon node;
  private final RecordingTarget bell;
  private final SlowTarget slow;

  FailuresTest(DataSource postgres) {
    chime = new Chime(postgres);
    node = chime.node();
    bell = chime.bell;
    slow = chime.slow;
  }

  @AfterEach
  void close() {
    chime.close();
  }

  @Test
  void retries_come_after_pauses_that_grow_up_to_a_limit() {
    bell.failing("no rope");
    Retry retry = Retry.times(5).backoff(Duration.ofSeconds(10)).maxBackoff(Duration.ofSeconds(30));
    RunId id = node.runs().enqueue(RunDraft.of("bell").retry(retry));
    Instant start = chime.now();
    node.pass(Duration.ofMinutes(5));

    assertThat(run(node, id).attempts())
        .extracting(attempt -> Duration.between(start, attempt.startedAt()).toSeconds())
        .containsExactly(0L, 10L, 30L, 60L);
    assertThat(Duration.between(start, run(node, id).startedAt().orElseThrow()).toSeconds())
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
    assertThat(run(node, id).state()).isEqualTo(RunState.PENDING);

    node.pass(SECOND);

    assertThat(run(node, id).state()).isEqualTo(RunState.RUNNING);
  }

  @Test
  void what_failed_for_good_is_not_tried_again() {
    RunId id = node.runs().enqueue(RunDraft.of("slow").retry(Retry.times(5)));
    node.runDue();
    slow.last().end(Outcome.failedPermanently(Failure.of("bad_request", "no such room")));
    node.runDue();

    assertThat(run(node, id).state()).isEqualTo(RunState.FAILED);
    assertThat(run(node, id).attempt()).isEqualTo(1);
  }

  @Test
  void an_exception_is_a_failure_with_its_name_message_and_trace() {
    bell.failing("no rope");

    Failure failure = ended(node, RunDraft.of("bell")).failure().orElseThrow();

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

    assertThat(ended(node, RunDraft.of("bell")).failure().orElseThrow().message())
        .isEqualTo("UnsupportedOperationException");
  }

  @Test
  void an_exception_of_an_anonymous_class_has_a_code() {
    bell.then(
        context -> {
          throw new IllegalStateException("odd") {};
        });

    assertThat(ended(node, RunDraft.of("bell")).failure().orElseThrow().code())
        .contains("FailuresTest$");
  }

  @Test
  void an_exception_whose_message_cannot_be_stored_is_stored_readably() {
    bell.failing("nul \0 and half \ud83d of a pair");

    assertThat(ended(node, RunDraft.of("bell")).failure().orElseThrow().message())
        .isEqualTo("nul \ufffd and half \ufffd of a pair");
  }

  @Test
  void an_exception_with_a_huge_message_is_cut() {
    bell.failing("x".repeat(10_000_000));

    assertThat(ended(node, RunDraft.of("bell")).failure().orElseThrow().message()).hasSize(2_000);
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

    assertThat(ended(node, RunDraft.of("bell")).state()).isEqualTo(RunState.FAILED);
  }

  @Test
  void an_error_of_the_machine_is_a_failure_of_the_run_alone() {
    bell.then(
        context -> {
          throw new OutOfMemoryError("as the test wanted");
        });

    assertThat(ended(node, RunDraft.of("bell")).failure().orElseThrow().code())
        .isEqualTo("OutOfMemoryError");
  }

  @Test
  void endless_recursion_is_a_failure_of_the_run_alone() {
    bell.then(context -> recurse(1));

    assertThat(ended(node, RunDraft.of("bell")).failure().orElseThrow().code())
        .isEqualTo("StackOverflowError");
  }

  @SuppressWarnings("InfiniteRecursion")
  private static int recurse(int depth) {
    return recurse(depth + 1) + 1;
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
}
