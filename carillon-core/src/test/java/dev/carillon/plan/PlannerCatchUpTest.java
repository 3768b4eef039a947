package dev.carillon.plan;

import static dev.carillon.plan.Given.at;
import static dev.carillon.plan.Given.dropped;
import static dev.carillon.plan.Given.dueTimes;
import static dev.carillon.plan.Given.sequels;
import static dev.carillon.plan.Given.slots;
import static org.assertj.core.api.Assertions.assertThat;

import dev.carillon.model.DroppedSlots;
import dev.carillon.plan.PlannedRun.Sequel;
import dev.carillon.policy.CatchUp;
import dev.carillon.time.Jitter;
import dev.carillon.time.Window;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class PlannerCatchUpTest {
  private static final Duration MINUTE = Duration.ofMinutes(1);
  private static final Duration SECOND = Duration.ofSeconds(1);

  @Test
  void a_slot_as_late_as_the_grace_runs_and_one_that_is_later_is_missed() {
    Given given = everyMinute(CatchUp.skip().grace(Duration.ofSeconds(10)));

    Plan late = given.plan("10:01:10", "10:01:30");
    Plan missed = given.plan(at("10:01:10").plusNanos(1), at("10:01:30"));

    assertThat(slots(late)).containsExactly(at("10:01"));
    assertThat(dueTimes(late)).containsExactly(at("10:01"));
    assertThat(late.dropped()).isEmpty();
    assertThat(missed.runs()).isEmpty();
    assertThat(dropped(missed)).containsExactly("MISSED 10:01..10:01 1");
  }

  @Test
  void without_grace_a_slot_of_this_very_instant_still_runs() {
    Plan plan = everyMinute(CatchUp.skip().grace(Duration.ZERO)).plan("10:01", "10:02");

    assertThat(slots(plan)).isEqualTo(at("10:01", "10:02"));
  }

  @Test
  void mode_skip_drops_every_missed_slot_as_one_stretch() {
    Plan plan = everyMinute(CatchUp.skip()).plan("10:05:30", "10:06");

    assertThat(dropped(plan)).containsExactly("MISSED 10:01..10:05 5");
    assertThat(slots(plan)).containsExactly(at("10:06"));
    assertThat(plan.plannedRuns()).isEqualTo(1);
  }

  @Test
  void mode_once_runs_the_newest_missed_slot_now() {
    Plan plan = everyMinute(CatchUp.once()).plan("10:05:30", "10:06");

    assertThat(dropped(plan)).containsExactly("MISSED 10:01..10:04 4");
    assertThat(slots(plan)).isEqualTo(at("10:05", "10:06"));
    assertThat(dueTimes(plan)).isEqualTo(at("10:05:30", "10:06"));
  }

  @Test
  void mode_once_runs_nothing_if_even_the_newest_is_too_old() {
    Given given = everyMinute(CatchUp.once().maxAge(Duration.ofSeconds(30)));

    Plan young = given.plan("10:05:30", "10:05:40");
    Plan old = given.plan(at("10:05:30").plusNanos(1), at("10:05:40"));

    assertThat(slots(young)).containsExactly(at("10:05"));
    assertThat(old.runs()).isEmpty();
    assertThat(dropped(old)).containsExactly("MISSED 10:01..10:05 5");
  }

  @Test
  void mode_all_runs_every_missed_slot_oldest_first_as_due_as_it_was() {
    Plan plan = everyMinute(CatchUp.all()).plan("10:03:30", "10:04");

    assertThat(plan.dropped()).isEmpty();
    assertThat(slots(plan)).isEqualTo(at("10:01", "10:02", "10:03", "10:04"));
    assertThat(dueTimes(plan)).isEqualTo(slots(plan));
  }

  @Test
  void mode_all_runs_the_newest_up_to_its_limit() {
    Given given = everyMinute(CatchUp.all().limit(3));

    assertThat(dropped(given.plan("10:03:30", "10:03:40"))).isEmpty();
    Plan plan = given.plan("10:05:30", "10:05:40");
    assertThat(dropped(plan)).containsExactly("LIMIT 10:01..10:02 2");
    assertThat(slots(plan)).isEqualTo(at("10:03", "10:04", "10:05"));
  }

  @Test
  void mode_all_runs_as_many_in_a_turn_as_it_may_and_the_next_turn_goes_on() {
    Given given = everyMinute(CatchUp.all());

    Plan plan = given.plan("10:05:30", "10:06", 2);

    assertThat(slots(plan)).isEqualTo(at("10:01", "10:02"));
    assertThat(plan.behind()).isTrue();
    assertThat(plan.nextSlot()).contains(at("10:03"));
    assertThat(plan.dropped()).isEmpty();
    Plan next = given.plannedThrough(plan.plannedThrough()).plan("10:05:31", "10:06", 2);
    assertThat(slots(next)).isEqualTo(at("10:03", "10:04"));
    Plan last = given.plannedThrough(next.plannedThrough()).plan("10:05:32", "10:06", 2);
    assertThat(slots(last)).isEqualTo(at("10:05", "10:06"));
    assertThat(last.behind()).isFalse();
  }

  @Test
  void a_turn_that_may_make_no_runs_still_records_what_is_too_old_or_too_many() {
    Given given = everyMinute(CatchUp.all().limit(2).maxAge(Duration.ofMinutes(4)));

    Plan plan = given.plan("10:07", "10:07:30", 0);

    assertThat(plan.runs()).isEmpty();
    assertThat(dropped(plan)).containsExactly("MISSED 10:01..10:02 2", "LIMIT 10:03..10:04 2");
    assertThat(plan.nextSlot()).contains(at("10:05"));
    assertThat(plan.plannedThrough()).isAfter(at("10:04")).isBefore(at("10:05"));
    assertThat(plan.behind()).isTrue();
  }

  @Test
  void a_turn_that_makes_the_last_run_there_may_be_leaves_nothing() {
    Plan plan = everyMinute(CatchUp.all()).maxRuns(2).plan("10:05:30", "10:06", 2);

    assertThat(slots(plan)).isEqualTo(at("10:01", "10:02"));
    assertThat(plan.behind()).isFalse();
    assertThat(sequels(plan)).containsExactly(Sequel.RETIRE);
  }

  @Test
  void slots_beyond_the_greatest_age_are_missed_and_those_beyond_the_limit_are_said_to_be() {
    CatchUp catchUp = CatchUp.all().limit(2).maxAge(Duration.ofMinutes(4));

    Plan plan = everyMinute(catchUp).plan("10:07", "10:07:30");

    assertThat(dropped(plan)).containsExactly("MISSED 10:01..10:02 2", "LIMIT 10:03..10:04 2");
    assertThat(slots(plan)).isEqualTo(at("10:05", "10:06", "10:07"));
  }

  @Test
  void an_age_below_the_grace_drops_what_is_missed_and_spares_what_is_late() {
    CatchUp catchUp = CatchUp.all().maxAge(SECOND).grace(Duration.ofSeconds(90));

    Plan plan = everyMinute(catchUp).plan("10:05", "10:05:30");

    assertThat(dropped(plan)).containsExactly("MISSED 10:01..10:03 3");
    assertThat(slots(plan)).isEqualTo(at("10:04", "10:05"));
  }

  @Test
  void mode_spread_runs_what_mode_all_would_at_even_distances_up_to_the_horizon() {
    Plan plan = everyMinute(CatchUp.spread().limit(4)).plan("10:05:20", "10:05:40");

    assertThat(dropped(plan)).containsExactly("LIMIT 10:01..10:01 1");
    assertThat(slots(plan)).isEqualTo(at("10:02", "10:03", "10:04", "10:05"));
    assertThat(dueTimes(plan)).isEqualTo(at("10:05:25", "10:05:30", "10:05:35", "10:05:40"));
  }

  @Test
  void catch_up_keeps_a_due_time_that_jitter_put_into_the_future() {
    Given given = everyMinute(CatchUp.once()).jitter(Jitter.after(Duration.ofSeconds(59)));

    Plan plan = given.plan("10:01:10.1", "10:01:20");

    Instant natural =
        given.definition().jitter().dueAt(given.definition().timing(), Given.KEY, at("10:01"));
    assertThat(dueTimes(plan))
        .containsExactly(natural.isAfter(at("10:01:10.1")) ? natural : at("10:01:10.1"));
  }

  @Test
  void missed_slots_with_a_run_already_are_neither_run_nor_dropped_and_split_the_stretch() {
    Plan plan = everyMinute(CatchUp.skip()).settled("10:03", "10:04").plan("10:06:30", "10:06:40");

    assertThat(dropped(plan)).containsExactly("MISSED 10:01..10:02 2", "MISSED 10:05..10:06 2");
    assertThat(plan.runs()).isEmpty();
  }

  @Test
  void a_run_left_by_another_timing_splits_a_stretch_without_changing_the_count() {
    Plan plan = everyMinute(CatchUp.skip()).settled("10:02:17").plan("10:04:30", "10:04:40");

    assertThat(dropped(plan)).containsExactly("MISSED 10:01..10:02 2", "MISSED 10:03..10:04 2");
  }

  @Test
  void the_newest_are_chosen_among_slots_without_a_run() {
    Plan once = everyMinute(CatchUp.once()).settled("10:05").plan("10:05:30", "10:05:40");
    Plan two = everyMinute(CatchUp.all().limit(2)).settled("10:04").plan("10:05:30", "10:05:40");

    assertThat(slots(once)).containsExactly(at("10:04"));
    assertThat(dropped(once)).containsExactly("MISSED 10:01..10:03 3");
    assertThat(slots(two)).isEqualTo(at("10:03", "10:05"));
    assertThat(dropped(two)).containsExactly("LIMIT 10:01..10:02 2");
  }

  @Test
  void an_end_of_runs_is_reached_by_catching_up_too_oldest_first() {
    Plan plan =
        everyMinute(CatchUp.all().limit(4)).maxRuns(10).plannedRuns(8).plan("10:06:30", "10:07");

    assertThat(dropped(plan)).containsExactly("LIMIT 10:01..10:02 2");
    assertThat(slots(plan)).isEqualTo(at("10:03", "10:04"));
    assertThat(sequels(plan)).containsExactly(Sequel.RETIRE);
    assertThat(plan.plannedThrough()).isEqualTo(at("10:04"));
    assertThat(plan.nextSlot()).isEmpty();
  }

  @Test
  void what_was_missed_before_the_window_closed_is_caught_up_after_it() {
    Plan plan =
        everyMinute(CatchUp.once()).window(Window.until(at("10:03"))).plan("11:00", "11:01");

    assertThat(slots(plan)).containsExactly(at("10:03"));
    assertThat(dropped(plan)).containsExactly("MISSED 10:01..10:02 2");
    assertThat(sequels(plan)).containsExactly(Sequel.RETIRE);
  }

  @Test
  void the_runs_ahead_do_not_count_against_catch_up() {
    Instant now = at("12:00");
    Plan plan =
        Given.every(SECOND)
            .catchUp(CatchUp.all().limit(2_000).grace(Duration.ZERO))
            .plannedThrough(now.minusSeconds(5_000))
            .plan(now, now.plusSeconds(3_000));

    assertThat(plan.runs()).hasSize(3_000);
    assertThat(plan.plannedThrough()).isEqualTo(now.plusSeconds(999));
    assertThat(plan.dropped())
        .containsExactly(
            new DroppedSlots(
                now.minusSeconds(4_999),
                now.minusSeconds(2_001),
                2_999,
                DroppedSlots.Reason.LIMIT));
  }

  @ParameterizedTest
  @EnumSource
  @Timeout(10)
  void ten_years_of_missed_seconds_are_counted_and_not_walked(CatchUp.Mode mode) {
    Instant now = at("10:00");
    Instant start = now.minus(Duration.ofDays(3_653));
    List<DroppedSlots> dropped = new ArrayList<>();

    for (int plans = 0; plans < 100; plans++) { // walked, this would be 31 billion slots
      Plan plan =
          Given.cron("* * * * * *", "Europe/Rome")
              .catchUp(CatchUp.of(mode))
              .plannedThrough(start)
              .plan(now, now.plusSeconds(60));
      dropped = plan.dropped();
    }

    long runs = mode == CatchUp.Mode.SKIP ? 0 : mode == CatchUp.Mode.ONCE ? 1 : 10_000;
    assertThat(dropped).hasSize(1);
    assertThat(dropped.get(0).slots()).isEqualTo(3_653L * 86_400 - 11 - runs);
  }

  @Test
  @Timeout(10)
  void a_grace_of_years_is_worked_off_a_thousand_runs_at_a_time() {
    Instant now = at("10:00");
    Plan plan =
        Given.every(SECOND)
            .catchUp(CatchUp.skip().grace(Duration.ofDays(36_500)))
            .plannedThrough(now.minus(Duration.ofDays(3_650)))
            .plan(now, now.plusSeconds(60));

    assertThat(plan.runs()).hasSize(1_000);
    assertThat(plan.nextSlot()).contains(plan.plannedThrough().plusSeconds(1));
  }

  private static Given everyMinute(CatchUp catchUp) {
    return Given.every(MINUTE).catchUp(catchUp).plannedThrough("10:00");
  }
}
