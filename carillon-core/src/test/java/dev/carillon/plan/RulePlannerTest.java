package dev.carillon.plan;

import static dev.carillon.plan.Given.at;
import static org.assertj.core.api.Assertions.assertThat;

import dev.carillon.plan.Closed.Action;
import dev.carillon.policy.CatchUp;
import dev.carillon.time.Due;
import dev.carillon.time.DueRule;
import dev.carillon.time.Jitter;
import dev.carillon.time.Window;
import java.time.Duration;
import java.time.Instant;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** Slots whose due times are moved; closed from 10:00 to 10:20, and so every hour. */
class RulePlannerTest {
  private static Closed closed(Action action) {
    return new Closed(Duration.ofHours(1), Duration.ofMinutes(20), action);
  }

  private static Given every5Minutes(Action action) {
    return Given.every(Duration.ofMinutes(5)).rule(closed(action)).catchUp(CatchUp.skip());
  }

  @Test
  void a_slot_that_a_calendar_leaves_out_is_a_decision_that_names_it() {
    Plan plan = every5Minutes(Action.SKIP).plannedThrough("09:54").plan("09:55", "10:25");

    assertThat(Given.slots(plan)).isEqualTo(at("09:55", "10:20", "10:25"));
    assertThat(Given.dropped(plan)).containsExactly("CALENDAR closed 10:00..10:15 4");
    assertThat(plan.plannedThrough()).isEqualTo(at("10:25"));
  }

  @Test
  void slots_that_are_due_at_the_same_time_are_one_run_and_the_others_name_it() {
    Plan plan = every5Minutes(Action.OPENING).plannedThrough("09:54").plan("09:55", "10:25");

    assertThat(Given.slots(plan)).isEqualTo(at("09:55", "10:00", "10:25"));
    assertThat(Given.dueTimes(plan)).isEqualTo(at("09:55", "10:20", "10:25"));
    assertThat(Given.dropped(plan)).containsExactly("MERGED 10:00 10:05..10:20 4");
  }

  @Test
  void a_slot_is_merged_into_a_run_that_an_earlier_plan_made() {
    var runs = new TreeSet<>(at("09:55", "10:00"));
    Plan plan =
        every5Minutes(Action.OPENING)
            .moves(new DueMoves(closed(Action.OPENING), runs, new TreeSet<>()))
            .plannedThrough("10:06")
            .plan("10:06", "10:12");

    assertThat(plan.runs()).isEmpty();
    assertThat(Given.dropped(plan)).containsExactly("MERGED 10:00 10:10..10:10 1");
  }

  @Test
  void a_slot_that_is_due_before_its_time_is_planned_by_then_with_all_slots_before_it() {
    Given given = every5Minutes(Action.BEFORE_CLOSING).plannedThrough("09:50");
    Plan early = given.plan("09:50", "09:58");
    Plan plan = given.plannedThrough(early.plannedThrough()).plan("09:59", "09:59:59");

    assertThat(Given.slots(early)).containsExactly(at("09:55"));
    assertThat(early.nextSlot()).contains(at("10:00"));
    assertThat(early.planBy()).contains(at("09:59:59"));
    assertThat(Given.slots(plan)).containsExactly(at("10:00"));
    assertThat(Given.dueTimes(plan)).containsExactly(at("09:59:59"));
    assertThat(Given.dropped(plan)).containsExactly("MERGED 10:00 10:05..10:15 3");
    assertThat(plan.plannedThrough()).isEqualTo(at("10:15"));
  }

  @Test
  void a_later_slot_that_is_due_earlier_says_by_when_the_next_one_is_planned() {
    Plan plan = every5Minutes(Action.PRECEDING).plannedThrough("09:37").plan("09:37", "09:37:30");

    assertThat(plan.nextSlot()).contains(at("09:40"));
    assertThat(plan.planBy()).contains(at("09:40"));
    Plan then = every5Minutes(Action.PRECEDING).plannedThrough("09:37").plan("09:39", "09:40");
    assertThat(Given.slots(then)).isEqualTo(at("09:40", "09:45", "09:50", "09:55"));
    assertThat(Given.dropped(then)).containsExactly("MERGED 09:40 10:00..10:00 1");
  }

  @Test
  void a_slot_that_waits_for_its_due_time_was_not_missed() {
    Plan plan =
        every5Minutes(Action.OPENING)
            .catchUp(CatchUp.skip().grace(Duration.ofSeconds(10)))
            .plannedThrough("09:57")
            .plan("10:19", "10:19:30");

    assertThat(Given.slots(plan)).containsExactly(at("10:00"));
    assertThat(Given.dueTimes(plan)).containsExactly(at("10:20"));
    assertThat(Given.dropped(plan)).containsExactly("MERGED 10:00 10:05..10:15 3");
  }

  @Test
  void a_slot_that_was_due_before_its_time_was_missed_from_its_due_time_on() {
    Given given = every5Minutes(Action.BEFORE_CLOSING).plannedThrough("09:57");

    assertThat(Given.dropped(given.plan("10:01", "10:02")))
        .containsExactly("MISSED 10:00..10:15 4");
    Plan once = given.catchUp(CatchUp.once()).plan("10:01", "10:02");
    assertThat(Given.slots(once)).containsExactly(at("10:00"));
    assertThat(Given.dueTimes(once)).containsExactly(at("10:01"));
    assertThat(Given.dropped(once)).containsExactly("MERGED 10:00 10:05..10:15 3");
  }

  @Test
  void what_is_merged_into_a_slot_that_was_missed_was_missed_with_it() {
    Plan plan =
        every5Minutes(Action.OPENING)
            .catchUp(CatchUp.once())
            .plannedThrough("09:57")
            .plan("10:33", "10:34");

    assertThat(Given.slots(plan)).containsExactly(at("10:30"));
    assertThat(Given.dropped(plan)).containsExactly("MISSED 10:00..10:25 6");
  }

  @Test
  void a_due_time_beyond_the_end_of_the_window_is_outside_it() {
    Plan plan =
        every5Minutes(Action.OPENING)
            .window(Window.until(at("10:12")))
            .plannedThrough("09:57")
            .plan("10:00", "10:30");

    assertThat(plan.runs()).isEmpty();
    assertThat(Given.dropped(plan)).containsExactly("OUTSIDE_WINDOW closed 10:00..10:10 3");
    assertThat(plan.complete()).isTrue();
  }

  @Test
  void a_moved_due_time_is_only_jittered_later() {
    Instant due = at("10:20");
    for (int i = 0; i < 200; i++) {
      Instant slot = at("10:00").plusSeconds(i);
      Instant dueAt =
          Jitter.around(Duration.ofMinutes(30))
              .dueAt(dev.carillon.time.Every.of(Duration.ofMinutes(5)), "k" + i, slot, due);
      assertThat(dueAt).isBetween(due, at("10:25"));
    }
  }

  @Test
  void the_run_that_is_due_last_retires_the_schedule_although_slots_after_it_are_left_out() {
    Plan plan =
        every5Minutes(Action.SKIP)
            .window(Window.until(at("10:12")))
            .plannedThrough("09:52")
            .plan("09:54", "10:30");

    assertThat(Given.slots(plan)).containsExactly(at("09:55"));
    assertThat(Given.sequels(plan)).containsExactly(PlannedRun.Sequel.RETIRE);
    assertThat(plan.complete()).isFalse();
  }

  @Test
  void an_interval_after_the_end_of_a_run_goes_on_after_slots_that_are_left_out() {
    Plan plan =
        Given.every(Duration.ofMinutes(7))
            .finishPaced()
            .rule(closed(Action.SKIP))
            .plannedThrough("09:55")
            .plan("10:01", "10:30");
    Plan waiting =
        Given.every(Duration.ofMinutes(7))
            .finishPaced()
            .rule(closed(Action.SKIP))
            .plannedThrough("09:55")
            .plan("10:01", "10:10");

    assertThat(Given.slots(plan)).containsExactly(at("10:23"));
    assertThat(Given.dropped(plan)).containsExactly("CALENDAR closed 10:02..10:16 3");
    assertThat(Given.sequels(plan)).containsExactly(PlannedRun.Sequel.REPEAT);
    assertThat(waiting.runs()).isEmpty();
    assertThat(Given.dropped(waiting)).containsExactly("CALENDAR closed 10:02..10:09 2");
    assertThat(waiting.nextSlot()).contains(at("10:16"));
    assertThat(waiting.plannedThrough()).isEqualTo(at("10:09"));
  }

  @Test
  void a_night_of_one_second_slots_is_one_stretch() {
    Plan plan =
        Given.every(Duration.ofSeconds(1))
            .rule(closed(Action.OPENING))
            .plannedThrough("09:59:59")
            .plan("09:59:59", "10:19:59");

    assertThat(Given.slots(plan)).containsExactly(at("10:00"));
    assertThat(Given.dropped(plan)).containsExactly("MERGED 10:00 10:00:01..10:19:59 1199");
  }

  @Test
  void a_long_outage_is_looked_at_in_turns_and_the_newest_missed_slot_runs() {
    Given given =
        Given.every(Duration.ofSeconds(1))
            .rule(closed(Action.SKIP))
            .catchUp(CatchUp.once())
            .plannedThrough("01:00");
    Plan first = given.plan("09:30", "09:30:20");

    assertThat(first.plannedThrough()).isEqualTo(at("03:46:40"));
    assertThat(first.runs()).isEmpty();
    Plan plan = first;
    int turns = 1;
    while (plan.plannedThrough().isBefore(at("09:30"))) {
      assertThat(plan.runs()).isEmpty();
      plan = given.plannedThrough(plan.plannedThrough()).plan("09:30", "09:30:20");
      turns++;
    }
    assertThat(turns).isEqualTo(4);
    assertThat(plan.runs().get(0).slot()).isEqualTo(at("09:29:49"));
  }

  @Test
  void a_rule_that_leaves_everything_out_ends_no_plan_early() {
    DueRule never =
        new DueRule() {
          @Override
          public Due due(Instant slot) {
            return new Due.Dropped(Due.Policy.QUIET_HOURS, "freeze", "a migration");
          }

          @Override
          public Duration maxAdvance() {
            return Duration.ZERO;
          }

          @Override
          public Duration maxDelay() {
            return Duration.ZERO;
          }
        };
    Plan plan =
        Given.every(Duration.ofMinutes(5))
            .rule(never)
            .plannedThrough("10:00")
            .plan("10:01", "10:31");

    assertThat(plan.runs()).isEmpty();
    assertThat(Given.dropped(plan)).containsExactly("QUIET_HOURS freeze 10:05..10:30 6");
    assertThat(plan.nextSlot()).contains(at("10:35"));
  }
}
