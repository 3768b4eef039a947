package dev.carillon.plan;

import static dev.carillon.plan.Given.at;
import static dev.carillon.plan.Given.dropped;
import static dev.carillon.plan.Given.dueTimes;
import static dev.carillon.plan.Given.sequels;
import static dev.carillon.plan.Given.slots;
import static org.assertj.core.api.Assertions.assertThat;

import dev.carillon.model.DroppedSlots;
import dev.carillon.plan.PlannedRun.Sequel;
import dev.carillon.time.Every;
import dev.carillon.time.Jitter;
import dev.carillon.time.Once;
import dev.carillon.time.Window;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

class PlannerTest {
  private static final Duration MINUTE = Duration.ofMinutes(1);
  private static final Duration HOUR = Duration.ofHours(1);

  @Test
  void slots_up_to_and_including_the_horizon_become_runs_due_at_their_slots() {
    Plan plan = Given.every(MINUTE).plannedThrough("10:00").plan("10:00", "10:03");

    assertThat(slots(plan)).isEqualTo(at("10:01", "10:02", "10:03"));
    assertThat(dueTimes(plan)).isEqualTo(slots(plan));
    assertThat(plan.dropped()).isEmpty();
    assertThat(plan.plannedThrough()).isEqualTo(at("10:03"));
    assertThat(plan.nextSlot()).contains(at("10:04"));
    assertThat(plan.planBy()).contains(at("10:04"));
    assertThat(plan.plannedRuns()).isEqualTo(3);
    assertThat(plan.complete()).isFalse();
    assertThat(sequels(plan)).isEmpty();
  }

  @Test
  void without_a_slot_before_the_horizon_nothing_happens_but_the_passing_of_time() {
    Plan plan = Given.every(HOUR).plannedThrough("10:00").plan("10:10", "10:20");

    assertThat(plan.runs()).isEmpty();
    assertThat(plan.dropped()).isEmpty();
    assertThat(plan.plannedThrough()).isEqualTo(at("10:20"));
    assertThat(plan.nextSlot()).contains(at("11:00"));
    assertThat(plan.complete()).isFalse();
  }

  @Test
  void a_horizon_before_what_is_planned_moves_nothing_back() {
    Plan plan = Given.every(MINUTE).plannedThrough("10:30").plan("10:00", "10:10");

    assertThat(plan.runs()).isEmpty();
    assertThat(plan.plannedThrough()).isEqualTo(at("10:30"));
    assertThat(plan.nextSlot()).contains(at("10:31"));
  }

  @Test
  void a_slot_inside_the_missing_hour_of_a_clock_change_runs_once_after_it() {
    Plan plan =
        Given.cron("30 2 * * *", "Europe/Rome")
            .plannedThrough(Instant.parse("2026-03-28T12:00:00Z"))
            .plan(Instant.parse("2026-03-28T23:00:00Z"), Instant.parse("2026-03-30T12:00:00Z"));

    assertThat(slots(plan))
        .containsExactly(
            Instant.parse("2026-03-29T01:00:00Z"), Instant.parse("2026-03-30T00:30:00Z"));
  }

  @Test
  void a_slot_inside_the_repeated_hour_of_a_clock_change_runs_once() {
    Plan plan =
        Given.cron("30 2 * * *", "Europe/Rome")
            .plannedThrough(Instant.parse("2026-10-24T12:00:00Z"))
            .plan(Instant.parse("2026-10-24T23:00:00Z"), Instant.parse("2026-10-26T12:00:00Z"));

    assertThat(slots(plan))
        .containsExactly(
            Instant.parse("2026-10-25T00:30:00Z"), Instant.parse("2026-10-26T01:30:00Z"));
  }

  @Test
  void jitter_moves_when_a_run_is_due_and_leaves_its_slot() {
    Jitter jitter = Jitter.after(Duration.ofSeconds(30));
    Plan plan = Given.every(MINUTE).jitter(jitter).plannedThrough("10:00").plan("10:00", "10:02");

    assertThat(slots(plan)).isEqualTo(at("10:01", "10:02"));
    assertThat(dueTimes(plan))
        .isEqualTo(
            at("10:01", "10:02").stream()
                .map(slot -> jitter.dueAt(Every.of(MINUTE), Given.KEY, slot))
                .toList())
        .isNotEqualTo(slots(plan));
  }

  @Test
  void a_slot_beyond_the_horizon_is_planned_once_jitter_makes_it_due_before() {
    Jitter jitter = Jitter.around(Duration.ofHours(8));
    Instant slot = earlySlot(jitter);
    Instant dueAt = jitter.dueAt(Every.of(Duration.ofDays(1)), Given.KEY, slot);
    Given given =
        Given.every(Duration.ofDays(1))
            .jitter(jitter)
            .plannedThrough(slot.minus(HOUR.multipliedBy(12)));

    Plan tooSoon = given.plan(dueAt.minusSeconds(60), dueAt.minusMillis(1));
    Plan inTime = given.plan(dueAt.minusSeconds(60), dueAt);

    assertThat(tooSoon.runs()).isEmpty();
    assertThat(tooSoon.nextSlot()).contains(slot);
    assertThat(tooSoon.planBy()).contains(dueAt);
    assertThat(slots(inTime)).containsExactly(slot);
    assertThat(dueTimes(inTime)).containsExactly(dueAt);
    assertThat(inTime.plannedThrough()).isEqualTo(slot);
    assertThat(inTime.nextSlot()).contains(slot.plus(Duration.ofDays(1)));
  }

  @Test
  void jitter_after_the_slot_does_not_delay_its_planning() {
    Given given = Given.every(HOUR).jitter(Jitter.after(HOUR)).plannedThrough("10:00");

    assertThat(given.plan("10:00", "10:10").planBy()).contains(at("11:00"));
  }

  @Test
  void slots_before_the_window_are_dropped_as_far_as_the_plan_has_come() {
    Given given = Given.every(MINUTE).window(Window.from(at("10:05"))).plannedThrough("10:00");

    Plan before = given.plan("10:00", "10:03");
    Plan into = given.plannedThrough("10:03").plan("10:03", "10:06");

    assertThat(dropped(before)).containsExactly("OUTSIDE_WINDOW 10:01..10:03 3");
    assertThat(before.runs()).isEmpty();
    assertThat(before.nextSlot()).contains(at("10:05"));
    assertThat(before.complete()).isFalse();
    assertThat(dropped(into)).containsExactly("OUTSIDE_WINDOW 10:04..10:04 1");
    assertThat(slots(into)).isEqualTo(at("10:05", "10:06"));
  }

  @Test
  void a_slot_before_the_window_is_not_missed_however_late_it_is() {
    Plan plan =
        Given.every(MINUTE)
            .window(Window.from(at("10:05")))
            .plannedThrough("10:00")
            .plan("10:07", "10:08");

    assertThat(dropped(plan))
        .containsExactly("OUTSIDE_WINDOW 10:01..10:04 4", "MISSED 10:05..10:06 2");
    assertThat(slots(plan)).isEqualTo(at("10:07", "10:08"));
  }

  @Test
  void the_last_run_of_the_window_retires_the_schedule() {
    Plan plan =
        Given.every(MINUTE)
            .window(Window.until(at("10:02")))
            .plannedThrough("10:00")
            .plan("10:00", "10:05");

    assertThat(slots(plan)).isEqualTo(at("10:01", "10:02"));
    assertThat(plan.runs().get(0).sequel()).isEmpty();
    assertThat(plan.runs().get(1).sequel()).contains(Sequel.RETIRE);
    assertThat(plan.nextSlot()).isEmpty();
    assertThat(plan.planBy()).isEmpty();
    assertThat(plan.complete()).isFalse();
  }

  @Test
  void a_window_that_is_over_completes_the_schedule_and_records_nothing() {
    Plan plan =
        Given.every(MINUTE)
            .window(Window.until(at("10:00")))
            .plannedThrough("10:00")
            .plan("10:10", "10:15");

    assertThat(plan.runs()).isEmpty();
    assertThat(plan.dropped()).isEmpty();
    assertThat(plan.complete()).isTrue();
  }

  @Test
  void a_single_slot_runs_and_retires_the_schedule() {
    Plan plan =
        Given.timing(new Once(at("10:00:00.5"))).plannedThrough("09:00").plan("09:59", "10:01");

    assertThat(slots(plan)).containsExactly(at("10:00:00.5"));
    assertThat(sequels(plan)).containsExactly(Sequel.RETIRE);
  }

  @Test
  void a_single_slot_that_was_missed_completes_the_schedule() {
    Plan plan = Given.timing(new Once(at("10:00"))).plannedThrough("09:00").plan("11:00", "11:01");

    assertThat(dropped(plan)).containsExactly("MISSED 10:00..10:00 1");
    assertThat(plan.complete()).isTrue();
  }

  @Test
  void the_last_of_so_many_runs_retires_the_schedule_and_later_slots_are_not_recorded() {
    Plan plan =
        Given.every(MINUTE)
            .maxRuns(5)
            .plannedRuns(3)
            .plannedThrough("10:00")
            .plan("10:00", "10:09");

    assertThat(slots(plan)).isEqualTo(at("10:01", "10:02"));
    assertThat(sequels(plan)).containsExactly(Sequel.RETIRE);
    assertThat(plan.plannedRuns()).isEqualTo(5);
    assertThat(plan.plannedThrough()).isEqualTo(at("10:02"));
    assertThat(plan.nextSlot()).isEmpty();
    assertThat(plan.dropped()).isEmpty();
  }

  @Test
  void fewer_slots_than_runs_left_leave_the_schedule_as_it_is() {
    Plan plan =
        Given.every(MINUTE)
            .maxRuns(5)
            .plannedRuns(2)
            .plannedThrough("10:00")
            .plan("10:00", "10:02");

    assertThat(slots(plan)).hasSize(2);
    assertThat(sequels(plan)).isEmpty();
    assertThat(plan.nextSlot()).contains(at("10:03"));
  }

  @Test
  void a_schedule_that_had_all_its_runs_is_complete() {
    Plan plan =
        Given.every(MINUTE)
            .maxRuns(5)
            .plannedRuns(6)
            .plannedThrough("10:00")
            .plan("10:30", "10:31");

    assertThat(plan.runs()).isEmpty();
    assertThat(plan.dropped()).isEmpty();
    assertThat(plan.complete()).isTrue();
    assertThat(plan.plannedRuns()).isEqualTo(6);
    assertThat(plan.plannedThrough()).isEqualTo(at("10:00"));
  }

  @Test
  void a_slot_that_has_a_run_already_gets_no_other_and_is_not_counted_again() {
    Plan plan =
        Given.every(MINUTE)
            .plannedThrough("10:00")
            .plannedRuns(1)
            .settled("10:02")
            .plan("10:00", "10:03");

    assertThat(slots(plan)).isEqualTo(at("10:01", "10:03"));
    assertThat(plan.plannedRuns()).isEqualTo(3);
  }

  @Test
  void a_schedule_whose_last_slot_has_a_run_already_is_complete() {
    Plan plan =
        Given.every(MINUTE)
            .window(Window.until(at("10:02")))
            .plannedThrough("10:00")
            .settled("10:02")
            .plan("10:00", "10:05");

    assertThat(slots(plan)).containsExactly(at("10:01"));
    assertThat(sequels(plan)).isEmpty();
    assertThat(plan.complete()).isTrue();
  }

  @Test
  void a_run_left_by_another_timing_does_not_stand_for_the_last_slot() {
    Plan plan =
        Given.every(MINUTE)
            .window(Window.until(at("10:01:30")))
            .plannedThrough("10:00")
            .settled("10:01:17")
            .plan("10:00", "10:05");

    assertThat(slots(plan)).containsExactly(at("10:01"));
    assertThat(sequels(plan)).containsExactly(Sequel.RETIRE);
    assertThat(plan.complete()).isFalse();
  }

  @Test
  void one_plan_makes_at_most_a_thousand_runs_and_the_next_goes_on_from_there() {
    Instant start = at("10:00");
    Given given = Given.every(Duration.ofSeconds(1)).plannedThrough(start);

    Plan first = given.plan(start, start.plusSeconds(1_500));
    Plan second =
        given.plannedThrough(first.plannedThrough()).plan(start, start.plusSeconds(1_500));

    assertThat(first.runs()).hasSize(1_000);
    assertThat(first.plannedThrough()).isEqualTo(start.plusSeconds(1_000));
    assertThat(first.nextSlot()).contains(start.plusSeconds(1_001));
    assertThat(second.runs()).hasSize(500);
    assertThat(slots(second)).startsWith(start.plusSeconds(1_001));
    assertThat(second.plannedThrough()).isEqualTo(start.plusSeconds(1_500));
  }

  @Test
  void a_thousand_runs_that_reach_the_horizon_are_no_cut() {
    Instant start = at("10:00");
    Plan plan =
        Given.every(Duration.ofSeconds(1))
            .plannedThrough(start)
            .plan(start, start.plusMillis(1_000_500));

    assertThat(plan.runs()).hasSize(1_000);
    assertThat(plan.plannedThrough()).isEqualTo(start.plusMillis(1_000_500));
  }

  @Test
  void the_next_slot_is_the_first_one_in_the_window() {
    var definition = Given.every(MINUTE).window(new Window(at("10:05"), at("10:06"))).definition();

    assertThat(Planner.next(definition, at("10:00"))).contains(at("10:05"));
    assertThat(Planner.next(definition, at("10:05"))).contains(at("10:06"));
    assertThat(Planner.next(definition, at("10:06"))).isEmpty();
  }

  @Test
  void skipped_slots_are_told_as_one_stretch_within_the_window() {
    var definition = Given.every(MINUTE).window(new Window(at("10:05"), at("10:08"))).definition();

    assertThat(Planner.skipped(definition, at("10:00"), at("10:07:30"), DroppedSlots.Reason.PAUSED))
        .contains(new DroppedSlots(at("10:05"), at("10:07"), 3, DroppedSlots.Reason.PAUSED));
    assertThat(Planner.skipped(definition, at("10:05"), at("11:00"), DroppedSlots.Reason.PAUSED))
        .contains(new DroppedSlots(at("10:06"), at("10:08"), 3, DroppedSlots.Reason.PAUSED));
  }

  @Test
  void where_no_slot_is_none_is_skipped() {
    var definition = Given.every(HOUR).window(Window.until(at("10:00"))).definition();

    for (var stretch :
        List.of(
            at("10:00", "10:00"),
            at("10:00", "12:00"),
            at("09:10", "09:20"),
            at("09:30", "09:10"))) {
      assertThat(
              Planner.skipped(
                  definition, stretch.get(0), stretch.get(1), DroppedSlots.Reason.PAUSED))
          .as("%s", stretch)
          .isEmpty();
    }
  }

  /** Return a daily slot which the jitter makes due more than an hour before. */
  private static Instant earlySlot(Jitter jitter) {
    Every daily = Every.of(Duration.ofDays(1));
    return daily.between(at("10:00"), Instant.parse("2027-01-01T00:00:00Z")).stream()
        .filter(slot -> jitter.dueAt(daily, Given.KEY, slot).isBefore(slot.minus(HOUR)))
        .findFirst()
        .orElseThrow();
  }
}
