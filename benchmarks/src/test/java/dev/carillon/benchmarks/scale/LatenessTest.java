package dev.carillon.benchmarks.scale;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class LatenessTest {
  private static final Instant FROM = Instant.parse("2026-11-15T12:00:00Z");

  private Instant now = FROM;
  private final Lateness lateness = lateness(2, Duration.ofSeconds(1));

  @Test
  void a_percentile_is_the_lateness_that_so_many_keep_to() {
    for (int schedule = 0; schedule < 100; schedule++) {
      ring(schedule, FROM, Duration.ofMillis(schedule + 1));
    }

    var outcome = lateness.outcome(0);
    assertThat(outcome.p50Millis()).isEqualTo(50);
    assertThat(outcome.p99Millis()).isEqualTo(99);
    assertThat(outcome.maxMillis()).isEqualTo(100);
  }

  @Test
  void a_slot_without_a_start_is_expected_and_not_seen() {
    ring(7, FROM.plusSeconds(1), Duration.ZERO);

    var outcome = lateness.outcome(0);
    assertThat(outcome.expected()).isEqualTo(200);
    assertThat(outcome.seen()).isEqualTo(1);
    assertThat(outcome.maxMillis()).isZero();
  }

  @Test
  void a_second_start_for_a_slot_is_counted_apart() {
    ring(7, FROM, Duration.ofMillis(3));
    ring(7, FROM, Duration.ofMillis(9));

    var outcome = lateness.outcome(0);
    assertThat(outcome.seen()).isEqualTo(1);
    assertThat(outcome.repeated()).isEqualTo(1);
    assertThat(outcome.maxMillis()).isEqualTo(3);
  }

  @Test
  void a_start_before_its_slot_is_counted_as_early_and_not_as_late() {
    ring(7, FROM, Duration.ofMillis(-3));

    assertThat(lateness.outcome(0).early()).isEqualTo(1);
    assertThat(lateness.outcome(0).maxMillis()).isZero();
  }

  @Test
  void slots_before_and_after_the_measured_seconds_do_not_count() {
    ring(7, FROM.minusSeconds(1), Duration.ZERO);
    ring(7, FROM.plusSeconds(2), Duration.ZERO);

    assertThat(lateness.outcome(0).seen()).isZero();
  }

  @Test
  void slots_of_the_warm_up_do_not_count() {
    now = FROM.plusSeconds(5);
    var lateness =
        new Lateness(100, FROM, Duration.ofSeconds(2), 3, Duration.ofSeconds(1), () -> now);
    IntStream.range(0, 5).forEach(second -> lateness.ring(7, FROM.plusSeconds(second)));
    now = FROM.minusSeconds(1);
    IntStream.range(0, 2).forEach(second -> lateness.ring(7, FROM.plusSeconds(second)));

    assertThat(lateness.outcome(0).expected()).isEqualTo(300);
    assertThat(lateness.outcome(0).seen()).isEqualTo(3);
    assertThat(lateness.outcome(0).early()).isZero();
    assertThat(lateness.outcome(0).repeated()).isZero();
  }

  @Test
  void the_end_is_the_last_ten_seconds() {
    var lateness = lateness(60, Duration.ofSeconds(1));
    for (int second = 0; second < 60; second++) {
      now = FROM.plusSeconds(second).plusMillis(second);
      lateness.ring(7, FROM.plusSeconds(second));
    }

    assertThat(lateness.outcome(0).p50Millis()).isEqualTo(29);
    assertThat(lateness.outcome(0).endP99Millis()).isEqualTo(59);
  }

  @Test
  void a_longer_period_has_fewer_slots() {
    var lateness = lateness(20, Duration.ofSeconds(5));
    now = FROM.plusSeconds(16);
    lateness.ring(7, FROM.plusSeconds(15));

    assertThat(lateness.outcome(0).expected()).isEqualTo(400);
    assertThat(lateness.outcome(0).seen()).isEqualTo(1);
    assertThat(lateness.outcome(0).maxMillis()).isEqualTo(1_000);
  }

  private Lateness lateness(int seconds, Duration period) {
    return new Lateness(100, FROM, Duration.ZERO, seconds, period, () -> now);
  }

  private void ring(int schedule, Instant slot, Duration late) {
    now = slot.plus(late);
    lateness.ring(schedule, slot);
  }
}
