package dev.carillon.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.carillon.BackfillDraft;
import dev.carillon.ScheduleDraft;
import dev.carillon.event.Event;
import dev.carillon.fixture.Belfry;
import dev.carillon.fixture.EmbeddedPostgres;
import dev.carillon.fixture.Wiretap;
import dev.carillon.model.Decision;
import dev.carillon.model.Dropped;
import dev.carillon.model.Dropped.Reason;
import dev.carillon.model.Run;
import dev.carillon.model.RunFilter;
import dev.carillon.model.RunId;
import dev.carillon.model.RunState;
import dev.carillon.model.ScheduleStatus;
import dev.carillon.model.Trigger;
import dev.carillon.policy.CatchUp;
import dev.carillon.policy.Overlap;
import dev.carillon.testing.ManualCarillon;
import dev.carillon.testing.RecordingTarget;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Slots that pass while a node runs, while none does, while the schedule may not, and again. */
@ExtendWith(EmbeddedPostgres.class)
class CatchingUpTest {
  private static final Duration MINUTE = Duration.ofMinutes(1);
  private static final Instant END = Instant.parse("2100-01-01T00:00:00Z");

  private final Belfry belfry;
  private final Wiretap tap;
  private final RecordingTarget bell = new RecordingTarget();
  private final ManualCarillon node;

  CatchingUpTest(DataSource postgres) {
    belfry = new Belfry(postgres);
    tap = new Wiretap(postgres);
    node = belfry.nodeOn(tap.dataSource(), builder -> builder.target("bell", bell));
  }

  @AfterEach
  void close() {
    belfry.close();
  }

  private static Instant at(String time) {
    return Instant.parse("2026-03-01T" + time + "Z");
  }

  private static ScheduleDraft minutely() {
    return ScheduleDraft.named("minutely").target("bell").cron("* * * * *").overlap(Overlap.ALLOW);
  }

  /* One with few turns, for hours to pass in. */
  private ManualCarillon calm() {
    return belfry.node(
        builder ->
            builder
                .target("bell", bell)
                .poll(MINUTE)
                .heartbeat(MINUTE)
                .lease(Duration.ofMinutes(10)));
  }

  private void outage(Duration time) {
    belfry.clock().advance(time);
    node.runDue();
  }

  private List<Dropped> dropped(String key) {
    return node.schedules().decisions(key, Instant.EPOCH, END, 100).stream()
        .map(Decision::dropped)
        .toList();
  }

  private static List<Instant> minutes(int first, int last) {
    return IntStream.rangeClosed(first, last)
        .mapToObj(minute -> at("00:00:00").plus(MINUTE.multipliedBy(minute)))
        .toList();
  }

  @Test
  void a_slot_within_the_grace_is_late_and_not_missed() {
    node.schedules().create(minutely());
    outage(MINUTE.plusSeconds(10));

    assertThat(bell.slots()).containsExactly(at("00:01:00"));
    assertThat(dropped("minutely")).isEmpty();
  }

  @Test
  void a_slot_beyond_the_grace_is_missed_and_recorded() {
    node.schedules().create(minutely());
    outage(MINUTE.plusSeconds(11));

    assertThat(bell.slots()).isEmpty();
    assertThat(dropped("minutely"))
        .containsExactly(new Dropped(at("00:01:00"), at("00:01:00"), 1, Reason.MISSED));
  }

  @Test
  void slots_of_a_turn_that_came_late_while_the_lease_held_run_all_the_same() {
    node.schedules()
        .create(
            ScheduleDraft.named("often")
                .target("bell")
                .every(Duration.ofSeconds(1))
                .overlap(Overlap.ALLOW));
    node.runDue();
    outage(Duration.ofSeconds(14));

    assertThat(bell.slots()).hasSize(14);
  }

  @Test
  void a_long_outage_leaves_one_decision_with_the_count() {
    node.schedules().create(minutely());
    outage(Duration.ofMinutes(90).plusSeconds(30));

    assertThat(bell.slots()).isEmpty();
    assertThat(dropped("minutely"))
        .containsExactly(new Dropped(at("00:01:00"), at("01:30:00"), 90, Reason.MISSED));
  }

  @Test
  void a_long_outage_is_audited_once() {
    node.schedules().create(minutely());
    outage(Duration.ofMinutes(90).plusSeconds(30));

    assertThat(
            belfry
                .psql()
                .rows(
                    "select details ->> 'slots' from carillon.audit where action = 'schedule.missed'"))
        .containsExactly("90");
  }

  @Test
  void runs_planned_before_an_outage_are_taken_back_and_caught_up() {
    node.schedules().create(minutely().catchUp(CatchUp.once()));
    node.pass(Duration.ofSeconds(40));
    outage(Duration.ofMinutes(10).minusSeconds(10));

    assertThat(bell.slots()).containsExactly(at("00:10:00"));
    assertThat(dropped("minutely"))
        .containsExactly(new Dropped(at("00:01:00"), at("00:09:00"), 9, Reason.MISSED));
    assertThat(node.events()).filteredOn(Event.Outage.class::isInstance).hasSize(1);
  }

  @Test
  void an_outage_of_one_node_is_none_while_another_lives() {
    var other = belfry.node(builder -> builder.target("bell", bell));
    node.schedules().create(minutely());
    belfry.pass(MINUTE.multipliedBy(2), other);

    assertThat(bell.slots()).isEqualTo(minutes(1, 2));
  }

  @Test
  void catch_up_of_all_runs_every_missed_slot_oldest_first() {
    node.schedules().create(minutely().catchUp(CatchUp.all()));
    outage(Duration.ofMinutes(20).plusSeconds(30));

    assertThat(bell.slots()).isEqualTo(minutes(1, 20));
    assertThat(dropped("minutely")).isEmpty();
  }

  @Test
  void catch_up_of_all_runs_the_newest_up_to_its_limit() {
    node.schedules().create(minutely().catchUp(CatchUp.all().limit(5)));
    outage(Duration.ofMinutes(20).plusSeconds(30));

    assertThat(bell.slots()).isEqualTo(minutes(16, 20));
    assertThat(dropped("minutely"))
        .containsExactly(new Dropped(at("00:01:00"), at("00:15:00"), 15, Reason.LIMIT));
  }

  @Test
  void catch_up_leaves_what_is_too_old() {
    node.schedules()
        .create(minutely().catchUp(CatchUp.all().maxAge(Duration.ofMinutes(5).plusSeconds(30))));
    outage(Duration.ofMinutes(20).plusSeconds(30));

    assertThat(bell.slots()).isEqualTo(minutes(15, 20));
    assertThat(dropped("minutely"))
        .containsExactly(new Dropped(at("00:01:00"), at("00:14:00"), 14, Reason.MISSED));
  }

  @Test
  void catch_up_that_is_spread_does_not_start_all_at_once() {
    node.schedules().create(minutely().catchUp(CatchUp.spread()));
    outage(Duration.ofMinutes(20).plusSeconds(30));
    assertThat(bell.slots()).isEmpty();
    node.pass(Duration.ofSeconds(29));
    assertThat(bell.slots()).isEqualTo(minutes(1, 9));
    node.pass(Duration.ofSeconds(31));

    assertThat(bell.slots()).contains(minutes(1, 21).toArray(Instant[]::new)).hasSize(21);
  }

  @Test
  void a_queue_catches_up_one_after_the_other() {
    node.schedules().create(minutely().overlap(Overlap.QUEUE).catchUp(CatchUp.all()));
    outage(Duration.ofMinutes(20).plusSeconds(30));

    assertThat(bell.slots()).isEqualTo(minutes(1, 20));
  }

  @Test
  void an_outage_of_a_week_costs_a_schedule_of_every_second_few_statements() {
    node.schedules()
        .create(
            ScheduleDraft.named("secondly")
                .target("bell")
                .every(Duration.ofSeconds(1))
                .catchUp(CatchUp.once()));
    node.runDue();
    long before = tap.statements();
    belfry.clock().advance(Duration.ofDays(7));
    node.turn("heartbeat");
    node.turn("planning");

    assertThat(tap.statements() - before).isLessThan(40);
    assertThat(dropped("secondly"))
        .singleElement()
        .satisfies(
            drop -> assertThat(drop.slots()).isEqualTo(Duration.ofDays(7).toSeconds() - 10 - 2));
  }

  @Test
  void a_new_schedule_owes_nothing_from_before_it_was_made() {
    belfry.clock().advance(Duration.ofDays(1));
    node.runDue();
    node.schedules().create(minutely().catchUp(CatchUp.all()));
    node.runDue();

    assertThat(bell.slots()).isEmpty();
  }

  @Test
  void a_schedule_fires_only_in_its_window() {
    node.schedules().create(minutely().from(at("00:03:00")).until(at("00:05:00")));
    node.pass(Duration.ofMinutes(8));

    assertThat(bell.slots()).isEqualTo(minutes(3, 5));
    assertThat(node.schedules().get("minutely").orElseThrow().status())
        .isEqualTo(ScheduleStatus.RETIRED);
  }

  @Test
  void jitter_moves_the_run_and_not_the_slot() {
    node.schedules().create(minutely().jitter(Duration.ofSeconds(20)));
    node.pass(Duration.ofMinutes(5).plusSeconds(30));

    assertThat(bell.slots()).isEqualTo(minutes(1, 5));
    assertThat(bell.calls()).anyMatch(call -> !call.dueAt().equals(call.slot()));
    assertThat(bell.calls())
        .allSatisfy(
            call ->
                assertThat(Duration.between(call.slot(), call.dueAt()).abs())
                    .isLessThanOrEqualTo(Duration.ofSeconds(20)));
  }

  @Test
  void no_run_starts_before_it_is_due_nor_later_than_it_can() {
    node.schedules().create(minutely().jitter(Duration.ofSeconds(20)));
    node.pass(Duration.ofMinutes(5));

    assertThat(node.runs().list(RunFilter.of("minutely").state(RunState.SUCCEEDED)))
        .isNotEmpty()
        .allSatisfy(run -> assertThat(run.lateness()).contains(Duration.ZERO));
  }

  @Test
  void a_schedule_retires_after_its_last_run() {
    node.schedules().create(minutely().maxRuns(3));
    node.pass(Duration.ofMinutes(6));

    assertThat(bell.slots()).isEqualTo(minutes(1, 3));
    assertThat(node.schedules().get("minutely").orElseThrow().status())
        .isEqualTo(ScheduleStatus.RETIRED);
  }

  @Test
  void a_one_shot_that_was_missed_is_recorded_and_retires() {
    node.schedules().create(ScheduleDraft.named("once").target("bell").in(MINUTE));
    outage(Duration.ofMinutes(10));

    assertThat(bell.slots()).isEmpty();
    assertThat(dropped("once"))
        .containsExactly(new Dropped(at("00:01:00"), at("00:01:00"), 1, Reason.MISSED));
    assertThat(node.schedules().get("once").orElseThrow().status())
        .isEqualTo(ScheduleStatus.RETIRED);
  }

  @Test
  void a_one_shot_that_catches_up_runs_after_the_outage() {
    node.schedules()
        .create(ScheduleDraft.named("once").target("bell").in(MINUTE).catchUp(CatchUp.once()));
    outage(Duration.ofMinutes(10));

    assertThat(bell.slots()).containsExactly(at("00:01:00"));
    assertThat(node.schedules().get("once").orElseThrow().status())
        .isEqualTo(ScheduleStatus.RETIRED);
  }

  @Test
  void a_one_shot_whose_run_is_canceled_retires() {
    node.schedules().create(ScheduleDraft.named("once").target("bell").in(Duration.ofSeconds(20)));
    node.runDue();
    Run run = node.runs().of("once").get(0);
    node.runs().cancel(run.id(), "not needed");

    assertThat(node.schedules().get("once").orElseThrow().status())
        .isEqualTo(ScheduleStatus.RETIRED);
    assertThat(node.events())
        .filteredOn(Event.Changed.class::isInstance)
        .extracting(event -> ((Event.Changed) event).action())
        .containsExactly("schedule.created", "schedule.completed");
  }

  @Test
  void a_paused_schedule_does_not_fire_and_says_why_afterwards() {
    node.schedules().create(minutely());
    node.runDue();
    node.schedules().pause("minutely", "holidays");
    node.pass(Duration.ofMinutes(3));
    node.schedules().resume("minutely");
    node.pass(Duration.ofMinutes(2));

    assertThat(bell.slots()).isEqualTo(minutes(4, 5));
    assertThat(dropped("minutely"))
        .containsExactly(new Dropped(at("00:01:00"), at("00:03:00"), 3, Reason.PAUSED));
  }

  @Test
  void a_pause_with_an_end_ends_by_itself() {
    node.schedules().create(minutely());
    node.schedules().pause("minutely", "holidays", at("00:03:30"));
    node.pass(Duration.ofMinutes(5));

    assertThat(bell.slots()).isEqualTo(minutes(4, 5));
  }

  @Test
  void a_pause_that_ended_in_an_outage_leaves_the_rest_to_catch_up() {
    node.schedules().create(minutely().catchUp(CatchUp.all()));
    node.schedules().pause("minutely", "holidays", at("00:03:30"));
    outage(Duration.ofMinutes(6).plusSeconds(30));

    assertThat(bell.slots()).isEqualTo(minutes(4, 6));
    assertThat(dropped("minutely"))
        .containsExactly(new Dropped(at("00:01:00"), at("00:03:00"), 3, Reason.PAUSED));
  }

  @Test
  void a_paused_schedule_can_be_run_now() {
    node.schedules().create(minutely());
    node.schedules().pause("minutely", "holidays");
    node.schedules().runNow("minutely");
    node.runDue();

    assertThat(bell.calls())
        .singleElement()
        .satisfies(call -> assertThat(call.trigger()).isEqualTo(Trigger.MANUAL));
  }

  @Test
  void a_retired_schedule_cannot_be_run_now() {
    node.schedules().create(minutely());
    node.schedules().retire("minutely");

    assertThat(node.schedules().runNow("minutely")).isEmpty();
    assertThat(node.schedules().runNow("unknown")).isEmpty();
  }

  @Test
  void running_now_leaves_the_slots_alone() {
    node.schedules().create(minutely());
    node.schedules().runNow("minutely");
    node.pass(MINUTE.multipliedBy(2));

    assertThat(bell.slots()).hasSize(3).endsWith(at("00:01:00"), at("00:02:00"));
  }

  @Test
  void many_manual_runs_of_one_moment_are_different_runs() {
    node.schedules().create(minutely());
    List<RunId> ids =
        Stream.generate(() -> node.schedules().runNow("minutely").orElseThrow().id())
            .limit(5)
            .toList();
    node.runDue();

    assertThat(ids).doesNotHaveDuplicates();
    assertThat(bell.runs()).containsExactlyInAnyOrderElementsOf(ids);
  }

  @Test
  void an_edited_schedule_goes_on_with_its_new_timing() {
    node.schedules().create(minutely());
    node.pass(MINUTE.multipliedBy(2));
    node.schedules().patch("minutely", draft -> draft.cron("*/5 * * * *"));
    node.pass(MINUTE.multipliedBy(8));

    assertThat(bell.slots())
        .containsExactly(at("00:01:00"), at("00:02:00"), at("00:05:00"), at("00:10:00"));
    assertThat(bell.calls().get(3).version()).isEqualTo(2);
  }

  @Test
  void a_run_that_jitter_let_finish_before_its_slot_is_not_run_again_after_an_edit() {
    node.schedules().create(minutely().jitter(Duration.ofSeconds(25)));
    while (bell.calls().stream().noneMatch(call -> call.slot().isAfter(now()))) {
      node.pass(Duration.ofSeconds(1));
    }
    node.schedules().patch("minutely", draft -> draft.description("other"));
    node.pass(MINUTE.multipliedBy(2));

    assertThat(bell.slots()).doesNotHaveDuplicates().isSorted();
  }

  private Instant now() {
    return belfry.clock().instant();
  }

  @Test
  void backfill_makes_up_for_slots_without_a_run_and_no_others() {
    node.schedules().create(minutely());
    node.pass(MINUTE.multipliedBy(2));
    outage(MINUTE.multipliedBy(4).plusSeconds(30));
    bell.clear();
    var draft = BackfillDraft.between(at("00:00:30"), at("00:06:00"));
    List<Instant> preview = node.schedules().previewBackfill("minutely", draft).orElseThrow();
    List<RunId> made = node.schedules().backfill("minutely", draft).orElseThrow();
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
    node.schedules().backfill("minutely", draft);

    assertThat(node.schedules().backfill("minutely", draft)).contains(List.of());
    node.runDue();
    assertThat(node.schedules().backfill("minutely", draft)).contains(List.of());
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

    assertThat(
            node.schedules()
                .previewBackfill("minutely", BackfillDraft.between(at("00:00:30"), at("01:00:00"))))
        .contains(List.of());
  }

  @Test
  void schedules_that_leave_the_minute_to_their_name_fire_at_their_own() {
    for (String key : List.of("a", "b", "c", "d")) {
      node.schedules()
          .create(ScheduleDraft.named(key).target("bell").cron("H H * * *").overlap(Overlap.ALLOW));
    }
    List<Instant> next =
        Stream.of("a", "b", "c", "d")
            .map(key -> node.schedules().preview(key, 1).orElseThrow().get(0).slot())
            .toList();

    assertThat(next).doesNotHaveDuplicates();
  }

  @Test
  void a_night_that_loses_an_hour_fires_once_right_after_the_gap() {
    belfry.clock().advanceTo(Instant.parse("2026-03-29T00:30:00Z"));
    ManualCarillon calm = calm();
    calm.schedules()
        .create(ScheduleDraft.named("nightly").target("bell").cron("30 2 * * *", "Europe/Rome"));
    calm.pass(Duration.ofHours(1));

    assertThat(bell.slots()).containsExactly(Instant.parse("2026-03-29T01:00:00Z"));
  }

  @Test
  void a_night_that_gains_an_hour_fires_once() {
    belfry.clock().advanceTo(Instant.parse("2026-10-25T00:20:00Z"));
    ManualCarillon calm = calm();
    calm.schedules()
        .create(ScheduleDraft.named("nightly").target("bell").cron("30 2 * * *", "Europe/Rome"));
    calm.pass(Duration.ofMinutes(75));

    assertThat(bell.slots()).containsExactly(Instant.parse("2026-10-25T00:30:00Z"));
  }
}
