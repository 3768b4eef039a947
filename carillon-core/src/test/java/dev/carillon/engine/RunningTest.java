package dev.carillon.engine;

import static dev.carillon.engine.Chime.ended;
import static dev.carillon.engine.Chime.run;
import static org.assertj.core.api.Assertions.assertThat;

import dev.carillon.RunDraft;
import dev.carillon.ScheduleDraft;
import dev.carillon.event.EngineLoop;
import dev.carillon.fixture.EmbeddedPostgres;
import dev.carillon.fixture.SlowTarget;
import dev.carillon.model.Attempt;
import dev.carillon.model.Failure;
import dev.carillon.model.Payload;
import dev.carillon.model.Run;
import dev.carillon.model.RunId;
import dev.carillon.model.RunState;
import dev.carillon.model.Trigger;
import dev.carillon.policy.Retry;
import dev.carillon.target.Outcome;
import dev.carillon.target.RunContext;
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

/** What a handler is told, what it tells, and what a run keeps of both. */
@ExtendWith(EmbeddedPostgres.class)
class RunningTest {
  private static final Duration MINUTE = Duration.ofMinutes(1);

  private final Chime chime;
  private final ManualCarillon node;
  private final RecordingTarget bell;
  private final SlowTarget slow;

  RunningTest(DataSource postgres) {
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
    ended(node, RunDraft.of("bell").correlation("order-7"));

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

    assertThat(run(node, slow.runs().get(0)).payload()).isEqualTo(Payload.of("room", "hall"));
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
  void a_target_that_throws_after_it_said_done_is_done() {
    var other =
        chime.belfry.node(
            builder ->
                builder.asyncTarget(
                    "odd",
                    (context, done) -> {
                      done.accept(Outcome.succeeded());
                      throw new IllegalStateException("too late");
                    }));
    RunId id = other.runs().enqueue(RunDraft.of("odd"));
    other.runDue();

    assertThat(run(node, id).state()).isEqualTo(RunState.SUCCEEDED);
  }

  @Test
  void the_first_of_two_outcomes_counts() {
    RunId id = node.runs().enqueue(RunDraft.of("slow"));
    node.runDue();
    slow.last().fail("first");
    slow.last().succeed();
    node.runDue();

    assertThat(run(node, id).failure().orElseThrow().code()).isEqualTo("first");
  }

  @Test
  void an_interrupt_left_behind_by_a_handler_reaches_nobody_else() {
    bell.then(context -> Thread.currentThread().interrupt());
    ended(node, RunDraft.of("bell"));

    assertThat(Thread.currentThread().isInterrupted()).isFalse();
  }

  @Test
  void progress_is_shown_while_the_run_works() {
    RunId id = node.runs().enqueue(RunDraft.of("slow"));
    node.runDue();
    slow.last().context().progress("3 of 7");
    node.turn(EngineLoop.HEARTBEAT);

    assertThat(run(node, id).progress()).contains("3 of 7");
  }

  @Test
  void progress_that_cannot_be_stored_is_shown_readably() {
    RunId id = node.runs().enqueue(RunDraft.of("slow"));
    node.runDue();
    slow.last().context().progress("\0" + "x".repeat(197) + "\ud83d\udd14\ud83d\udd14");
    node.turn(EngineLoop.HEARTBEAT);

    assertThat(run(node, id).progress().orElseThrow()).hasSize(200).endsWith("…");
  }

  @Test
  void the_last_progress_stays_with_a_finished_run() {
    RunId id = node.runs().enqueue(RunDraft.of("slow"));
    node.runDue();
    slow.last().context().progress("3 of 7");
    node.turn(EngineLoop.HEARTBEAT);
    slow.last().succeed();
    node.runDue();

    assertThat(run(node, id).progress()).contains("3 of 7");
  }

  @Test
  void progress_said_just_before_the_end_stays_with_the_run() {
    RunId succeeded = node.runs().enqueue(RunDraft.of("slow"));
    node.runDue();
    slow.last().context().progress("3 of 7");
    node.turn(EngineLoop.HEARTBEAT);
    slow.last().context().progress("7 of 7");
    slow.last().succeed();
    node.runDue();
    RunId failed = node.runs().enqueue(RunDraft.of("slow"));
    node.runDue();
    slow.last().context().progress("6 of 7");
    slow.last().fail("no rope");
    node.runDue();

    assertThat(run(node, succeeded).progress()).contains("7 of 7");
    assertThat(run(node, failed).progress()).contains("6 of 7");
  }

  @Test
  void delayed_work_starts_when_its_delay_is_over_and_not_before() {
    RunId id = node.runs().enqueue(RunDraft.of("bell").in(Duration.parse("PT15M")));
    node.pass(Duration.ofMinutes(15).minusMillis(1));
    assertThat(run(node, id).state()).isEqualTo(RunState.PENDING);

    node.pass(Duration.ofMillis(1));

    assertThat(run(node, id).state()).isEqualTo(RunState.SUCCEEDED);
    assertThat(run(node, id).lateness()).contains(Duration.ZERO);
  }

  @Test
  void work_for_a_time_that_has_passed_starts_at_once_and_is_not_late() {
    Instant passed = chime.now().minus(Duration.ofDays(3));
    Run run = ended(node, RunDraft.of("bell").at(passed));

    assertThat(run.state()).isEqualTo(RunState.SUCCEEDED);
    assertThat(run.slot()).isEqualTo(passed);
    assertThat(run.lateness()).contains(Duration.ZERO);
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
    Instant due = chime.now();
    node.runDue();
    slow.last().fail("broken");
    node.runDue();
    node.pass(Duration.ofSeconds(2));
    chime.belfry.clock().advance(Duration.ofSeconds(3));
    slow.last().end(Outcome.failed(new Failure("gone", "no bell", Optional.of("at the top"))));
    node.runDue();

    Run run = run(node, id);
    assertThat(run.slot()).isEqualTo(due);
    assertThat(run.dueAt()).isEqualTo(due);
    assertThat(run.startedAt()).contains(due.plusSeconds(2));
    assertThat(run.finishedAt()).contains(due.plusSeconds(5));
    assertThat(run.duration()).contains(Duration.ofSeconds(3));
    assertThat(run.state()).isEqualTo(RunState.FAILED);
    assertThat(run.trigger()).isEqualTo(Trigger.AD_HOC);
    assertThat(run.attempt()).isEqualTo(2);
    assertThat(run.payload()).isEqualTo(Payload.of("room", "hall"));
    assertThat(run.node()).contains(node.carillon().nodeId());
    assertThat(run.failure()).contains(new Failure("gone", "no bell", Optional.of("at the top")));
    assertThat(run.correlation()).contains("order-7");
    assertThat(run.attempts())
        .containsExactly(
            new Attempt(
                1,
                RunState.FAILED,
                Optional.of(node.carillon().nodeId()),
                due,
                due,
                Optional.of(due.plusSeconds(2)),
                Failure.of("broken", "as the test wanted")));
  }
}
