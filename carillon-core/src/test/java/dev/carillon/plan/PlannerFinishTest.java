package dev.carillon.plan;

import static dev.carillon.plan.Given.at;
import static dev.carillon.plan.Given.dueTimes;
import static dev.carillon.plan.Given.sequels;
import static dev.carillon.plan.Given.slots;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.carillon.model.DroppedSlots;
import dev.carillon.plan.PlannedRun.Sequel;
import dev.carillon.time.Jitter;
import dev.carillon.time.Window;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

/** Intervals measured from the end of a run. */
class PlannerFinishTest {
  @Test
  void one_run_is_planned_a_period_after_the_end_and_its_end_brings_the_next() {
    Plan plan = tenMinutes().plannedThrough("10:03").plan("10:10", "10:14");

    assertThat(slots(plan)).containsExactly(at("10:13"));
    assertThat(dueTimes(plan)).containsExactly(at("10:13"));
    assertThat(sequels(plan)).containsExactly(Sequel.REPEAT);
    assertThat(plan.plannedThrough()).isEqualTo(at("10:13"));
    assertThat(plan.nextSlot()).isEmpty();
    assertThat(plan.planBy()).isEmpty();
    assertThat(plan.plannedRuns()).isEqualTo(1);
    assertThat(plan.complete()).isFalse();
  }

  @Test
  void a_slot_is_a_whole_second_never_less_than_a_period_after_the_end() {
    Plan plan = tenMinutes().plannedThrough("10:03:07.000001").plan("10:10", "10:14");

    assertThat(slots(plan)).containsExactly(at("10:13:08"));
  }

  @Test
  void a_slot_beyond_the_horizon_is_left_for_later() {
    Plan plan = tenMinutes().plannedThrough("10:03").plan("10:10", "10:12");

    assertThat(plan.runs()).isEmpty();
    assertThat(plan.plannedThrough()).isEqualTo(at("10:03"));
    assertThat(plan.nextSlot()).contains(at("10:13"));
    assertThat(plan.planBy()).contains(at("10:13"));
    assertThat(plan.complete()).isFalse();
  }

  @Test
  void a_slot_on_the_horizon_is_planned() {
    assertThat(slots(tenMinutes().plannedThrough("10:03").plan("10:10", "10:13")))
        .containsExactly(at("10:13"));
  }

  @Test
  void a_slot_is_never_missed_however_late() {
    Plan plan = tenMinutes().plannedThrough("02:00").plan("10:10", "10:12");

    assertThat(slots(plan)).containsExactly(at("02:10"));
    assertThat(plan.dropped()).isEmpty();
  }

  @Test
  void jitter_makes_a_run_later_but_never_earlier_than_its_slot() {
    Given given = tenMinutes().jitter(Jitter.around(Duration.ofMinutes(5)));

    for (int minute = 10; minute < 60; minute++) {
      Instant end = at("10:" + minute);
      Plan plan = given.plannedThrough(end).plan(end, end.plusSeconds(3_600));
      assertThat(dueTimes(plan).get(0)).isBetween(end.plusSeconds(600), end.plusSeconds(900));
    }
  }

  @Test
  void the_first_slot_waits_for_the_window() {
    Given given = tenMinutes().window(Window.from(at("11:00:00.5"))).plannedThrough("10:00");

    assertThat(given.plan("10:00", "10:30").nextSlot()).contains(at("11:00:01"));
  }

  @Test
  void the_last_run_the_window_has_room_for_retires_the_schedule() {
    Plan last =
        tenMinutes()
            .window(Window.until(at("10:19")))
            .plannedThrough("10:00")
            .plan("10:09", "10:10");
    Plan next =
        tenMinutes()
            .window(Window.until(at("10:20")))
            .plannedThrough("10:00")
            .plan("10:09", "10:10");

    assertThat(sequels(last)).containsExactly(Sequel.RETIRE);
    assertThat(sequels(next)).containsExactly(Sequel.REPEAT);
  }

  @Test
  void a_window_that_is_over_completes_the_schedule() {
    Plan plan =
        tenMinutes()
            .window(Window.until(at("10:05")))
            .plannedThrough("10:00")
            .plan("10:09", "10:10");

    assertThat(plan.runs()).isEmpty();
    assertThat(plan.nextSlot()).isEmpty();
    assertThat(plan.complete()).isTrue();
  }

  @Test
  void the_last_of_so_many_runs_retires_the_schedule() {
    Given given = tenMinutes().maxRuns(3).plannedThrough("10:00");

    assertThat(sequels(given.plannedRuns(1).plan("10:09", "10:10"))).containsExactly(Sequel.REPEAT);
    assertThat(sequels(given.plannedRuns(2).plan("10:09", "10:10"))).containsExactly(Sequel.RETIRE);
    assertThat(given.plannedRuns(3).plan("10:09", "10:10").complete()).isTrue();
  }

  @Test
  void a_second_that_has_a_run_already_is_not_used_again() {
    Plan plan =
        tenMinutes().plannedThrough("10:00").settled("10:10", "10:10:01").plan("10:09", "10:11");

    assertThat(slots(plan)).containsExactly(at("10:10:02"));
  }

  @Test
  void the_next_slot_follows_the_end_and_nothing_is_ever_skipped() {
    var definition = tenMinutes().window(Window.until(at("10:30"))).definition();

    assertThat(Planner.next(definition, at("10:03:00.1"))).contains(at("10:13:01"));
    assertThat(Planner.next(definition, at("10:20:00.1"))).isEmpty();
    assertThat(Planner.planBy(definition, Given.KEY, at("10:13"))).isEqualTo(at("10:13"));
    assertThat(Planner.skipped(definition, at("10:00"), at("10:30"), DroppedSlots.Reason.PAUSED))
        .isEmpty();
  }

  @Test
  void only_an_interval_can_be_paced_so() {
    Given given = Given.cron("0 2 * * *", "Europe/Rome").finishPaced();

    assertThatThrownBy(() -> given.plan("10:00", "10:01"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "only an interval can be measured from the end of a run; was 'At 02:00 every day, Europe/Rome';"
                + " use pacing slot");
  }

  private static Given tenMinutes() {
    return Given.every(Duration.ofMinutes(10)).finishPaced();
  }
}
