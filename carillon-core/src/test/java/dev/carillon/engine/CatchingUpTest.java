package dev.carillon.engine;

import static dev.carillon.engine.Minutes.at;
import static dev.carillon.engine.Minutes.dropped;
import static dev.carillon.engine.Minutes.minutely;
import static dev.carillon.engine.Minutes.minutes;
import static org.assertj.core.api.Assertions.assertThat;

import dev.carillon.ScheduleDraft;
import dev.carillon.event.EngineLoop;
import dev.carillon.event.Event;
import dev.carillon.fixture.Belfry;
import dev.carillon.fixture.EmbeddedPostgres;
import dev.carillon.fixture.SlowTarget;
import dev.carillon.fixture.Wiretap;
import dev.carillon.model.DroppedSlots;
import dev.carillon.model.DroppedSlots.Reason;
import dev.carillon.model.Run;
import dev.carillon.model.RunState;
import dev.carillon.model.ScheduleStatus;
import dev.carillon.policy.CatchUp;
import dev.carillon.policy.Overlap;
import dev.carillon.policy.PolicyDefaults;
import dev.carillon.testing.ManualCarillon;
import dev.carillon.testing.RecordingTarget;
import java.time.Duration;
import java.time.Instant;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Slots that pass while no node runs, and which of them run afterwards. */
@ExtendWith(EmbeddedPostgres.class)
class CatchingUpTest {
  private static final Duration MINUTE = Duration.ofMinutes(1);

  private final Belfry belfry;
  private final Wiretap tap;
  private final RecordingTarget bell = new RecordingTarget();
  private final ManualCarillon node;

  CatchingUpTest(DataSource postgres) {
    belfry = new Belfry(postgres);
    tap = new Wiretap(postgres);
    node =
        belfry.nodeOn(
            tap.dataSource(), builder -> builder.target("bell", bell).poll(Duration.ofSeconds(1)));
  }

  @AfterEach
  void close() {
    belfry.close();
  }

  private void outage(Duration time) {
    belfry.clock().advance(time);
    node.runDue();
  }

  @Test
  void a_slot_within_the_grace_is_late_and_not_missed() {
    node.schedules().create(minutely().catchUp(CatchUp.skip()));
    outage(MINUTE.plusSeconds(10));

    assertThat(bell.slots()).containsExactly(at("00:01:00"));
    assertThat(dropped(node, "minutely")).isEmpty();
  }

  @Test
  void a_slot_beyond_the_grace_is_missed_and_recorded() {
    node.schedules().create(minutely().catchUp(CatchUp.skip()));
    outage(MINUTE.plusSeconds(11));

    assertThat(bell.slots()).isEmpty();
    assertThat(dropped(node, "minutely"))
        .containsExactly(new DroppedSlots(at("00:01:00"), at("00:01:00"), 1, Reason.MISSED));
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
    node.schedules().create(minutely().catchUp(CatchUp.skip()));
    outage(Duration.ofMinutes(90).plusSeconds(30));

    assertThat(bell.slots()).isEmpty();
    assertThat(dropped(node, "minutely"))
        .containsExactly(new DroppedSlots(at("00:01:00"), at("01:30:00"), 90, Reason.MISSED));
  }

  @Test
  void a_long_outage_is_audited_once() {
    node.schedules().create(minutely().catchUp(CatchUp.skip()));
    outage(Duration.ofMinutes(90).plusSeconds(30));

    assertThat(
            belfry
                .psql()
                .rows(
                    "select details ->> 'slots' from carillon.audit where action = 'schedule.missed'"))
        .containsExactly("90");
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
    assertThat(dropped(node, "minutely")).isEmpty();
  }

  @Test
  void missed_slots_of_quick_runs_all_run_although_two_may_not_run_at_a_time() {
    node.schedules().create(minutely().overlap(Overlap.SKIP).catchUp(CatchUp.all()));
    outage(Duration.ofMinutes(3).plusSeconds(30));

    assertThat(bell.slots()).isEqualTo(minutes(1, 3));
  }

  @Test
  void catch_up_of_all_runs_the_newest_up_to_its_limit() {
    node.schedules().create(minutely().catchUp(CatchUp.all().limit(5)));
    outage(Duration.ofMinutes(20).plusSeconds(30));

    assertThat(bell.slots()).isEqualTo(minutes(16, 20));
    assertThat(dropped(node, "minutely"))
        .containsExactly(new DroppedSlots(at("00:01:00"), at("00:15:00"), 15, Reason.LIMIT));
  }

  @Test
  void catch_up_of_all_runs_a_hundred_slots_a_turn_and_loses_none() {
    node.schedules().create(minutely().catchUp(CatchUp.all()));
    outage(Duration.ofMinutes(250).plusSeconds(30));
    assertThat(bell.slots()).hasSize(100).isEqualTo(minutes(1, 100));

    node.pass(Duration.ofSeconds(1));
    assertThat(bell.slots()).hasSize(200).isEqualTo(minutes(1, 200));
    node.pass(Duration.ofSeconds(1));

    assertThat(bell.slots()).hasSize(250).isEqualTo(minutes(1, 250));
    assertThat(dropped(node, "minutely")).isEmpty();
    node.pass(Duration.ofSeconds(28));
    assertThat(bell.slots()).hasSize(251).isEqualTo(minutes(1, 251));
  }

  @Test
  void catch_up_of_more_than_the_greatest_number_says_what_it_left_out() {
    node.schedules()
        .create(
            ScheduleDraft.named("often")
                .target("bell")
                .every(Duration.ofSeconds(1))
                .overlap(Overlap.ALLOW)
                .catchUp(CatchUp.all()));
    outage(Duration.ofSeconds(11_010));
    node.pass(Duration.ofSeconds(110));

    assertThat(dropped(node, "often"))
        .singleElement()
        .satisfies(
            drop -> {
              assertThat(drop.reason()).isEqualTo(Reason.LIMIT);
              assertThat(drop.slots()).isEqualTo(11_010 - 11 - CatchUp.MAX_LIMIT);
            });
    assertThat(bell.slots()).hasSize(CatchUp.MAX_LIMIT + 10 + 110 + 1).doesNotHaveDuplicates();
  }

  @Test
  void those_that_catch_up_for_long_hold_up_nobody_else() {
    node.schedules().create(minutely().catchUp(CatchUp.all()));
    node.schedules()
        .create(ScheduleDraft.named("hourly").target("bell").every(Duration.ofHours(1)));
    outage(Duration.ofMinutes(479).plusSeconds(58));
    node.pass(Duration.ofSeconds(2));

    assertThat(node.runs().ofSchedule("hourly")).extracting(Run::slot).contains(at("08:00:00"));
    assertThat(bell.slots()).hasSizeLessThan(400);
  }

  @Test
  void a_queue_takes_what_was_missed_as_it_has_room_and_loses_none() {
    var slow = new SlowTarget();
    ManualCarillon other =
        belfry.node(builder -> builder.asyncTarget("slow", slow).poll(Duration.ofSeconds(1)));
    other
        .schedules()
        .create(
            ScheduleDraft.named("minutely")
                .target("slow")
                .cron("* * * * *")
                .overlap(Overlap.queue(5))
                .catchUp(CatchUp.all()));
    belfry.clock().advance(Duration.ofMinutes(20).plusSeconds(30));
    other.runDue();
    for (int i = 0; i < 20; i++) {
      slow.last().succeed();
      other.pass(Duration.ofSeconds(1));
    }

    assertThat(slow.slots()).startsWith(minutes(1, 20).toArray(Instant[]::new));
    assertThat(other.runs().ofSchedule("minutely"))
        .filteredOn(run -> run.state() == RunState.SKIPPED)
        .isEmpty();
    assertThat(dropped(other, "minutely")).isEmpty();
  }

  @Test
  void catch_up_leaves_what_is_too_old() {
    node.schedules()
        .create(minutely().catchUp(CatchUp.all().maxAge(Duration.ofMinutes(5).plusSeconds(30))));
    outage(Duration.ofMinutes(20).plusSeconds(30));

    assertThat(bell.slots()).isEqualTo(minutes(15, 20));
    assertThat(dropped(node, "minutely"))
        .containsExactly(new DroppedSlots(at("00:01:00"), at("00:14:00"), 14, Reason.MISSED));
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
    node.turn(EngineLoop.HEARTBEAT);
    node.turn(EngineLoop.PLANNING);

    assertThat(tap.statements() - before).isLessThan(50);
    assertThat(dropped(node, "secondly"))
        .singleElement()
        .satisfies(
            drop ->
                assertThat(drop.slots()).isEqualTo(Duration.ofDays(7).toSeconds() - 60 - 10 - 2));
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
  void a_one_shot_that_is_not_to_be_caught_up_is_recorded_and_retires() {
    node.schedules()
        .create(ScheduleDraft.named("once").target("bell").in(MINUTE).catchUp(CatchUp.skip()));
    outage(Duration.ofMinutes(10));

    assertThat(bell.slots()).isEmpty();
    assertThat(dropped(node, "once"))
        .containsExactly(new DroppedSlots(at("00:01:00"), at("00:01:00"), 1, Reason.MISSED));
    assertThat(node.schedules().get("once").orElseThrow().status())
        .isEqualTo(ScheduleStatus.RETIRED);
  }

  @Test
  void a_one_shot_that_was_missed_runs_after_an_outage_of_hours() {
    node.schedules().create(ScheduleDraft.named("once").target("bell").in(MINUTE));
    outage(Duration.ofHours(10));

    assertThat(bell.slots()).containsExactly(at("00:01:00"));
    assertThat(node.schedules().get("once").orElseThrow().status())
        .isEqualTo(ScheduleStatus.RETIRED);
  }

  @Test
  void a_one_shot_that_was_missed_by_more_than_a_day_is_recorded_and_retires() {
    node.schedules().create(ScheduleDraft.named("once").target("bell").in(MINUTE));
    outage(Duration.ofHours(24).plusSeconds(61));

    assertThat(bell.slots()).isEmpty();
    assertThat(dropped(node, "once"))
        .containsExactly(new DroppedSlots(at("00:01:00"), at("00:01:00"), 1, Reason.MISSED));
    assertThat(node.schedules().get("once").orElseThrow().status())
        .isEqualTo(ScheduleStatus.RETIRED);
  }

  @Test
  void a_nightly_cron_survives_a_redeployment_and_a_long_night_without_a_node() {
    node.schedules().create(ScheduleDraft.named("nightly").target("bell").cron("0 2 * * *", "UTC"));
    belfry.clock().advance(Duration.ofHours(2).minusSeconds(5));
    node.runDue();
    outage(Duration.ofSeconds(25));
    assertThat(bell.slots()).containsExactly(at("02:00:00"));

    outage(Duration.ofHours(30));

    assertThat(bell.slots())
        .containsExactly(at("02:00:00"), at("02:00:00").plus(Duration.ofDays(1)));
    assertThat(dropped(node, "nightly")).isEmpty();
  }

  @Test
  void an_interval_that_does_not_say_skips_what_was_missed() {
    node.schedules().create(ScheduleDraft.named("often").target("bell").every(MINUTE));
    outage(Duration.ofMinutes(4).plusSeconds(30));

    assertThat(bell.slots()).isEmpty();
    assertThat(dropped(node, "often"))
        .containsExactly(new DroppedSlots(at("00:01:00"), at("00:04:00"), 4, Reason.MISSED));
  }

  @Test
  void what_is_usual_can_be_set_and_counts_for_what_is_stored_from_then_on() {
    node.schedules().create(minutely());
    var other =
        belfry.node(
            builder ->
                builder.remoteTarget("bell").defaultCatchUp(CatchUp.all().limit(7)).queueLimit(9));
    other
        .schedules()
        .create(
            ScheduleDraft.named("other").target("bell").cron("@daily").overlap(Overlap.Rule.QUEUE));

    var stored = other.schedules().get("other").orElseThrow().definition();
    assertThat(stored.catchUp()).isEqualTo(CatchUp.all().limit(7));
    assertThat(stored.overlap()).isEqualTo(Overlap.queue(9));
    assertThat(other.schedules().get("minutely").orElseThrow().definition().catchUp())
        .isEqualTo(PolicyDefaults.BUILT_IN.catchUp());
  }

  @Test
  void a_definition_from_before_there_was_a_usual_catch_up_keeps_skipping() {
    node.schedules().create(minutely());
    belfry
        .psql()
        .execute("update carillon.schedule_version set definition = definition - 'catchUp'");

    assertThat(node.schedules().get("minutely").orElseThrow().definition().catchUp())
        .isEqualTo(CatchUp.skip());
    outage(Duration.ofMinutes(3).plusSeconds(30));
    assertThat(bell.slots()).isEmpty();
    assertThat(dropped(node, "minutely"))
        .containsExactly(new DroppedSlots(at("00:01:00"), at("00:03:00"), 3, Reason.MISSED));
  }

  @Test
  void a_one_shot_whose_run_is_canceled_retires() {
    node.schedules().create(ScheduleDraft.named("once").target("bell").in(Duration.ofSeconds(20)));
    node.runDue();
    Run run = node.runs().ofSchedule("once").get(0);
    node.runs().cancel(run.id(), "not needed");

    assertThat(node.schedules().get("once").orElseThrow().status())
        .isEqualTo(ScheduleStatus.RETIRED);
    assertThat(node.events())
        .filteredOn(Event.Changed.class::isInstance)
        .extracting(event -> ((Event.Changed) event).action())
        .containsExactly("schedule.created", "schedule.completed");
  }

  @Test
  void a_pause_that_ended_in_an_outage_leaves_the_rest_to_catch_up() {
    node.schedules().create(minutely().catchUp(CatchUp.all()));
    node.schedules().pause("minutely", "holidays", at("00:03:30"));
    outage(Duration.ofMinutes(6).plusSeconds(30));

    assertThat(bell.slots()).isEqualTo(minutes(4, 6));
    assertThat(dropped(node, "minutely"))
        .containsExactly(new DroppedSlots(at("00:01:00"), at("00:03:00"), 3, Reason.PAUSED));
  }
}
