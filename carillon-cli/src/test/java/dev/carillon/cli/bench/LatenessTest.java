package dev.carillon.cli.bench;

import static org.assertj.core.api.Assertions.assertThat;

import dev.carillon.event.Event;
import dev.carillon.model.Dropped;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

class LatenessTest {
  private static final Instant FROM = Instant.parse("2027-01-01T00:00:00Z");
  private static final long MILLI = 1_000_000;

  /* A clock that shows FROM when nanoTime is 1 s, and is known to a tenth of a millisecond. */
  private static final ServerClock CLOCK = new ServerClock(reading(1_000), reading(11_000));

  private final Lateness lateness = new Lateness(2, FROM, 3);

  @Test
  void lateness_is_counted_from_the_slot_by_the_databases_clock() {
    ring(0, 0, 2);
    ring(0, 1, 4);
    ring(0, 2, 6);
    ring(1, 0, 8);
    ring(1, 1, 10);
    ring(1, 2, 50);

    Drift.Outcome outcome = lateness.outcome(CLOCK);

    assertThat(outcome).isEqualTo(new Drift.Outcome(2, 3, 6, 0, 0, 0, 6, 50, 50));
    assertThat(outcome.missing()).isZero();
  }

  @Test
  void a_slot_that_nobody_came_for_is_missing() {
    ring(0, 0, 2);

    assertThat(lateness.outcome(CLOCK).missing()).isEqualTo(5);
  }

  @Test
  void a_second_start_of_a_slot_is_a_double() {
    ring(0, 0, 2);
    ring(0, 0, 3);

    assertThat(lateness.outcome(CLOCK).doubled()).isEqualTo(1);
  }

  @Test
  void a_second_attempt_is_no_double() {
    ring(0, 0, 2);
    lateness.ring(0, FROM, 2, 1_003 * MILLI);

    assertThat(lateness.outcome(CLOCK).doubled()).isZero();
  }

  @Test
  void a_start_before_its_slot_is_early_unless_the_clocks_may_be_that_far_apart() {
    ring(0, 0, -1);
    ring(0, 1, -2);

    assertThat(lateness.outcome(CLOCK).early()).isEqualTo(1);
  }

  @Test
  void slots_outside_of_the_stretch_do_not_count() {
    lateness.ring(0, FROM.minusSeconds(1), 1, MILLI);
    lateness.ring(0, FROM.plusSeconds(3), 1, MILLI);

    assertThat(lateness.outcome(CLOCK).fired()).isZero();
  }

  @Test
  void slots_that_were_dropped_with_a_reason_are_skipped_and_not_missing() {
    var dropped = new Dropped(FROM.minusSeconds(5), FROM.plusSeconds(1), 7, Dropped.Reason.MISSED);
    lateness.on(new Event.Planned(FROM, "every-second-0", 0, List.of(dropped)));

    Drift.Outcome outcome = lateness.outcome(CLOCK);

    assertThat(outcome.skipped()).isEqualTo(2);
    assertThat(outcome.missing()).isEqualTo(4);
    assertThat(outcome.p99()).isNaN();
  }

  private void ring(int number, int second, int lateMillis) {
    lateness.ring(
        number, FROM.plusSeconds(second), 1, (1_000 + 1_000L * second + lateMillis) * MILLI);
  }

  private static ServerClock.Reading reading(long millis) {
    return new ServerClock.Reading(
        millis * MILLI, FROM.plusMillis(millis - 1_000), Duration.ofNanos(100_000));
  }
}
