package dev.carillon.engine;

import static dev.carillon.engine.Minutes.at;
import static dev.carillon.engine.Minutes.minutes;
import static dev.carillon.policy.Overlap.SKIP;
import static org.assertj.core.api.Assertions.assertThat;

import dev.carillon.BackfillDraft;
import dev.carillon.BackfillResult;
import dev.carillon.ScheduleDraft;
import dev.carillon.fixture.Belfry;
import dev.carillon.fixture.EmbeddedPostgres;
import dev.carillon.fixture.SlowTarget;
import dev.carillon.model.Attempt;
import dev.carillon.model.Payload;
import dev.carillon.model.Run;
import dev.carillon.model.RunId;
import dev.carillon.model.RunState;
import dev.carillon.model.Trigger;
import dev.carillon.policy.CatchUp;
import dev.carillon.policy.Overlap;
import dev.carillon.testing.ManualCarillon;
import dev.carillon.testing.RecordingTarget;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Past slots without a run that somebody wants to be made up for. */
@ExtendWith(EmbeddedPostgres.class)
class BackfillTest {
  private static final Duration MINUTE = Duration.ofMinutes(1);

  private final Belfry belfry;
  private final RecordingTarget bell = new RecordingTarget();
  private final SlowTarget slow = new SlowTarget();
  private final ManualCarillon node;

  BackfillTest(DataSource postgres) {
    belfry = new Belfry(postgres);
    node = belfry.node(builder -> builder.target("bell", bell).asyncTarget("slow", slow));
  }

  @AfterEach
  void close() {
    belfry.close();
  }

  private static ScheduleDraft minutely() {
    return Minutes.minutely().catchUp(CatchUp.skip());
  }

  private void outage(Duration time) {
    belfry.clock().advance(time);
    node.runDue();
  }

  @Test
  void backfill_makes_up_for_slots_without_a_run_and_no_others() {
    node.schedules().create(minutely());
    node.pass(MINUTE.multipliedBy(2));
    outage(MINUTE.multipliedBy(4).plusSeconds(30));
    bell.clear();
    var draft = BackfillDraft.between(at("00:00:30"), at("00:06:00"));
    List<Instant> preview = preview(draft).slots();
    List<RunId> made = fill(draft).runs();
    node.runDue();

    assertThat(bell.slots()).isEqualTo(minutes(3, 6)).isEqualTo(preview);
    assertThat(made).extracting(RunId::slot).isEqualTo(preview);
    assertThat(bell.calls()).allMatch(call -> call.trigger() == Trigger.BACKFILL);
  }

  @Test
  void backfill_twice_is_backfill_once() {
    node.schedules().create(minutely());
    outage(MINUTE.multipliedBy(5).plusSeconds(30));
    var draft = BackfillDraft.between(at("00:00:30"), at("00:05:00"));
    fill(draft);

    BackfillResult pending = fill(draft);
    assertThat(pending.runs()).isEmpty();
    assertThat(pending.why()).contains("5 of 5 slots have a run: 5 pending");
    node.runDue();
    BackfillResult over = fill(draft);
    assertThat(over.runs()).isEmpty();
    assertThat(over.taken()).isEqualTo(Map.of(RunState.SUCCEEDED, 5));
    assertThat(over.why()).contains("5 of 5 slots have a run: 5 succeeded");
    node.runDue();
    assertThat(bell.slots()).isEqualTo(minutes(1, 5));
  }

  @Test
  void backfill_takes_the_oldest_up_to_its_limit() {
    node.schedules().create(minutely());
    outage(MINUTE.multipliedBy(5).plusSeconds(30));
    node.schedules()
        .backfill("minutely", BackfillDraft.between(at("00:00:30"), at("00:05:00")).limit(2));
    node.runDue();

    assertThat(bell.slots()).isEqualTo(minutes(1, 2));
  }

  @Test
  void backfill_is_spread_over_the_time_it_was_given() {
    node.schedules().create(minutely());
    outage(MINUTE.multipliedBy(4).plusSeconds(30));
    Instant now = belfry.clock().instant();
    node.schedules()
        .backfill(
            "minutely",
            BackfillDraft.between(at("00:00:30"), at("00:04:00")).spread(Duration.ofSeconds(20)));
    node.pass(Duration.ofSeconds(20));

    assertThat(bell.calls())
        .extracting(call -> Duration.between(now, call.dueAt()).toSeconds())
        .containsExactly(0L, 5L, 10L, 15L);
  }

  @Test
  void backfill_reaches_back_before_the_schedule_was_made() {
    node.schedules().create(minutely());
    node.schedules()
        .backfill(
            "minutely",
            BackfillDraft.between(at("00:00:00").minus(MINUTE.multipliedBy(3)), at("00:00:00")));
    node.runDue();

    assertThat(bell.slots()).isEqualTo(minutes(-3, 0));
  }

  @Test
  void backfill_leaves_the_slots_to_come_to_planning() {
    node.schedules().create(minutely());
    node.runDue();

    BackfillResult none = preview(BackfillDraft.between(at("00:00:30"), at("01:00:00")));
    assertThat(none.slots()).isEmpty();
    assertThat(none.why())
        .contains(
            "the slots from 2026-03-01T00:00:30Z to 2026-03-01T01:00:00Z are left to planning:"
                + " they are not past, or not planned yet");
  }

  @Test
  void backfill_runs_one_after_the_other_whatever_the_schedule_says() {
    node.schedules()
        .create(ScheduleDraft.named("minutely").target("slow").cron("* * * * *").overlap(SKIP));
    BackfillResult made =
        fill(BackfillDraft.between(minutes(-150, -150).get(0), at("00:00:00")).limit(150));
    node.runDue();
    for (int ended = 1; ended <= 150; ended++) {
      assertThat(slow.calls()).hasSize(ended);
      slow.last().succeed();
      node.runDue();
    }

    assertThat(made.runs()).hasSize(150);
    assertThat(slow.slots()).isEqualTo(minutes(-150, -1));
    assertThat(made.runs()).allMatch(id -> run(id).state() == RunState.SUCCEEDED);
    assertThat(made.more()).isTrue();
    assertThat(made.why())
        .contains("the limit of 150 is reached; repeat it for the slots after that");
  }

  @Test
  void a_queue_that_is_asked_for_has_room_for_all() {
    node.schedules()
        .create(ScheduleDraft.named("minutely").target("slow").cron("* * * * *").overlap(SKIP));
    BackfillResult made =
        fill(
            BackfillDraft.between(minutes(-120, -120).get(0), at("00:00:00"))
                .limit(121)
                .overlap(Overlap.QUEUE));
    node.runDue();

    assertThat(made.runs()).hasSize(121);
    assertThat(made.why()).isEmpty();
    assertThat(made.runs()).noneMatch(id -> run(id).state() == RunState.SKIPPED);
  }

  @Test
  void slots_whose_run_was_skipped_or_canceled_are_filled_again() {
    node.schedules()
        .create(ScheduleDraft.named("minutely").target("slow").cron("* * * * *").overlap(SKIP));
    var draft = BackfillDraft.between(minutes(-4, -4).get(0), at("00:00:00"));
    BackfillResult first = fill(draft.overlap(SKIP));
    node.runDue();
    slow.last().succeed();
    node.runDue();
    assertThat(first.runs())
        .extracting(id -> run(id).state())
        .containsExactly(
            RunState.SUCCEEDED,
            RunState.SKIPPED,
            RunState.SKIPPED,
            RunState.SKIPPED,
            RunState.SKIPPED);

    assertThat(preview(draft).slots()).isEqualTo(minutes(-3, 0));
    BackfillResult second = fill(draft);
    assertThat(second.slots()).isEqualTo(minutes(-3, 0));
    assertThat(second.again()).isEqualTo(4);
    assertThat(second.why()).contains("1 of 5 slots has a run: 1 succeeded");
    assertThat(second.runs()).isEqualTo(first.runs().subList(1, 5));
    node.runDue();
    node.runs().cancel(second.runs().get(3), "not this one");
    for (int i = 0; i < 3; i++) {
      slow.last().succeed();
      node.runDue();
    }
    assertThat(slow.slots()).isEqualTo(minutes(-4, -1));

    assertThat(fill(draft).slots()).isEqualTo(minutes(0, 0));
    node.runDue();
    slow.last().succeed();
    node.runDue();
    assertThat(slow.slots()).isEqualTo(minutes(-4, 0));
    assertThat(fill(draft).why()).contains("5 of 5 slots have a run: 5 succeeded");
    assertThat(node.runs().counts(Instant.EPOCH, at("01:00:00")))
        .isEqualTo(Map.of(RunState.SUCCEEDED, 5L));
  }

  @Test
  void a_canceled_run_that_is_filled_again_keeps_its_attempts_and_runs_as_the_schedule_says_now() {
    node.schedules()
        .create(ScheduleDraft.named("minutely").target("slow").cron("* * * * *").overlap(SKIP));
    var draft = BackfillDraft.between(at("00:00:00"), at("00:00:00"));
    RunId id = fill(draft).runs().get(0);
    node.runDue();
    node.runs().cancel(id, "wrong target");
    node.runDue();
    slow.last().fail("stopped");
    node.runDue();
    assertThat(run(id).state()).isEqualTo(RunState.CANCELED);
    node.schedules().patch("minutely", old -> old.target("bell").payload("room", "hall"));

    assertThat(fill(draft).runs()).containsExactly(id);
    node.runDue();

    assertThat(run(id).state()).isEqualTo(RunState.SUCCEEDED);
    assertThat(run(id).attempt()).isEqualTo(2);
    assertThat(run(id).attempts()).extracting(Attempt::number).containsExactly(1);
    assertThat(bell.calls().get(0).payload()).isEqualTo(Payload.of("room", "hall"));
  }

  @Test
  void a_slot_whose_run_failed_is_left_to_the_dead_letters() {
    node.schedules().create(minutely());
    bell.failing("no rope");
    var draft = BackfillDraft.between(at("00:00:00"), at("00:00:00"));
    fill(draft);
    node.runDue();

    assertThat(fill(draft).why())
        .contains(
            "1 of 1 slots has a run: 1 failed; failed runs are dead letters, to be driven again or"
                + " dismissed");
  }

  @Test
  void a_backfill_of_nothing_says_why() {
    node.schedules()
        .create(
            ScheduleDraft.named("minutely").target("bell").cron("0 * * * *").from(at("00:00:00")));

    assertThat(
            preview(BackfillDraft.between(minutes(-90, -90).get(0), at("00:00:00").minusSeconds(1)))
                .why())
        .contains(
            "the slots from 2026-02-28T22:30:00Z to 2026-02-28T23:59:59Z are outside the window of"
                + " the schedule");
    assertThat(
            preview(BackfillDraft.between(minutes(-30, -30).get(0), minutes(-20, -20).get(0)))
                .why())
        .contains(
            "the schedule has no past slot from 2026-02-28T23:30:00Z to 2026-02-28T23:40:00Z");
  }

  private BackfillResult preview(BackfillDraft draft) {
    return node.schedules().previewBackfill("minutely", draft).orElseThrow();
  }

  private BackfillResult fill(BackfillDraft draft) {
    return node.schedules().backfill("minutely", draft).orElseThrow();
  }

  private Run run(RunId id) {
    return node.runs().get(id).orElseThrow();
  }
}
