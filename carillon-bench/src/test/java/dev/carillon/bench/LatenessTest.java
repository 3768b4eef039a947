package dev.carillon.bench;

import static org.assertj.core.api.Assertions.assertThat;

import dev.carillon.event.Event;
import dev.carillon.model.DroppedSlots;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

class LatenessTest {
  private static final Instant FROM = Instant.parse("2027-01-01T00:00:00Z");
  private static final long MILLI = 1_000_000;
  private static final Duration SECOND = Duration.ofSeconds(1);

  /* A clock that shows FROM when nanoTime is 1 s, and is known to a tenth of a millisecond. */
  private static final ServerClock CLOCK = new ServerClock(reading(1_000), reading(11_000));

  private final Lateness lateness = lateness(2, Duration.ZERO, 3, SECOND);

  @Test
  void lateness_is_counted_from_the_slot_by_the_databases_clock() {
    started(0, 0, 2);
    started(0, 1, 4);
    started(0, 2, 6);
    started(1, 0, 8);
    started(1, 1, 10);
    started(1, 2, 50);

    Drift.Outcome outcome = lateness.outcome(CLOCK, 0);

    assertThat(outcome).isEqualTo(new Drift.Outcome(2, 3, 6, 6, 0, 0, 0, 6, 50, 50, 50, 0));
    assertThat(outcome.missing()).isZero();
  }

  @Test
  void a_slot_that_nobody_came_for_is_missing() {
    started(0, 0, 2);

    assertThat(lateness.outcome(CLOCK, 0).missing()).isEqualTo(5);
  }

  @Test
  void a_second_start_of_a_slot_is_a_double() {
    started(0, 0, 2);
    started(0, 0, 3);

    assertThat(lateness.outcome(CLOCK, 0).doubled()).isEqualTo(1);
  }

  @Test
  void a_second_attempt_is_no_double() {
    started(0, 0, 2);
    lateness.started(0, FROM, 2, 1_003 * MILLI);

    assertThat(lateness.outcome(CLOCK, 0).doubled()).isZero();
  }

  @Test
  void a_start_before_its_slot_is_early_unless_the_clocks_may_be_that_far_apart() {
    started(0, 0, -1);
    started(0, 1, -2);

    assertThat(lateness.outcome(CLOCK, 0).early()).isEqualTo(1);
  }

  @Test
  void slots_outside_of_the_stretch_do_not_count() {
    lateness.started(0, FROM.minusSeconds(1), 1, MILLI);
    lateness.started(0, FROM.plusSeconds(3), 1, MILLI);

    assertThat(lateness.outcome(CLOCK, 0).fired()).isZero();
  }

  @Test
  void slots_that_were_dropped_with_a_reason_are_skipped_and_not_missing() {
    var droppedSlots =
        new DroppedSlots(FROM.minusSeconds(5), FROM.plusSeconds(1), 7, DroppedSlots.Reason.MISSED);
    lateness.on(new Event.Planned(FROM, "every-second-0", 0, List.of(droppedSlots)));

    Drift.Outcome outcome = lateness.outcome(CLOCK, 0);

    assertThat(outcome.skipped()).isEqualTo(2);
    assertThat(outcome.missing()).isEqualTo(4);
    assertThat(outcome.p99()).isNaN();
  }

  @Test
  void a_percentile_is_the_lateness_that_so_many_keep_to() {
    Lateness hundred = lateness(100, Duration.ZERO, 2, SECOND);
    for (int schedule = 0; schedule < 100; schedule++) {
      started(hundred, schedule, 0, schedule + 1);
    }

    Drift.Outcome outcome = hundred.outcome(CLOCK, 0);
    assertThat(outcome.p50()).isEqualTo(50);
    assertThat(outcome.p99()).isEqualTo(99);
    assertThat(outcome.max()).isEqualTo(100);
  }

  @Test
  void a_second_start_does_not_change_how_late_the_first_was() {
    started(0, 0, 3);
    started(0, 0, 9);

    assertThat(lateness.outcome(CLOCK, 0).fired()).isEqualTo(1);
    assertThat(lateness.outcome(CLOCK, 0).max()).isEqualTo(3);
  }

  @Test
  void an_early_start_is_not_late() {
    started(0, 0, -3);

    assertThat(lateness.outcome(CLOCK, 0).max()).isZero();
  }

  @Test
  void slots_of_the_warm_up_do_not_count() {
    Lateness warmedUp = lateness(100, Duration.ofSeconds(2), 3, SECOND);
    for (int second = 0; second < 5; second++) {
      started(warmedUp, 7, second, 5);
    }
    for (int second = 0; second < 2; second++) {
      started(warmedUp, 7, second, -500);
      started(warmedUp, 8, second, -500);
    }

    Drift.Outcome outcome = warmedUp.outcome(CLOCK, 0);
    assertThat(outcome.expected()).isEqualTo(300);
    assertThat(outcome.fired()).isEqualTo(3);
    assertThat(outcome.early()).isZero();
    assertThat(outcome.doubled()).isZero();
  }

  @Test
  void skipped_slots_of_the_warm_up_do_not_count() {
    Lateness warmedUp = lateness(1, Duration.ofSeconds(2), 3, SECOND);
    var droppedSlots = new DroppedSlots(FROM, FROM.plusSeconds(2), 3, DroppedSlots.Reason.MISSED);
    warmedUp.on(new Event.Planned(FROM, "every-second-0", 0, List.of(droppedSlots)));

    assertThat(warmedUp.outcome(CLOCK, 0).skipped()).isEqualTo(1);
  }

  @Test
  void the_end_is_the_last_ten_seconds() {
    Lateness minute = lateness(100, Duration.ZERO, 60, SECOND);
    for (int second = 0; second < 60; second++) {
      started(minute, 7, second, second);
    }

    assertThat(minute.outcome(CLOCK, 0).p50()).isEqualTo(29);
    assertThat(minute.outcome(CLOCK, 0).endP99()).isEqualTo(59);
  }

  @Test
  void a_longer_period_has_fewer_slots() {
    Lateness slow = lateness(100, Duration.ZERO, 20, Duration.ofSeconds(5));
    started(slow, 7, 15, 1_000);

    assertThat(slow.outcome(CLOCK, 0).expected()).isEqualTo(400);
    assertThat(slow.outcome(CLOCK, 0).fired()).isEqualTo(1);
    assertThat(slow.outcome(CLOCK, 0).max()).isEqualTo(1_000);
  }

  private static Lateness lateness(int schedules, Duration warmUp, int seconds, Duration period) {
    return new Lateness(schedules, FROM, warmUp, seconds, period);
  }

  private void started(int number, int second, int lateMillis) {
    started(lateness, number, second, lateMillis);
  }

  private static void started(Lateness lateness, int number, int second, int lateMillis) {
    lateness.started(
        number, FROM.plusSeconds(second), 1, (1_000 + 1_000L * second + lateMillis) * MILLI);
  }

  private static ServerClock.Reading reading(long millis) {
    return new ServerClock.Reading(
        millis * MILLI, FROM.plusMillis(millis - 1_000), Duration.ofNanos(100_000));
  }
}
