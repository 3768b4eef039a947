package dev.carillon.time;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class JitterTest {
  private static final Instant SLOT = Instant.parse("2026-05-01T10:00:00Z");

  private final Timing hourly = Every.of(Duration.ofHours(1));

  @Test
  void without_jitter_a_run_is_due_at_its_slot() {
    assertThat(Jitter.NONE.dueAt(hourly, "report", SLOT)).isEqualTo(SLOT);
  }

  @Test
  void the_same_schedule_and_slot_always_give_the_same_due_time() {
    var jitter = Jitter.around(Duration.ofMinutes(10));

    assertThat(jitter.dueAt(hourly, "report", SLOT))
        .isEqualTo(jitter.dueAt(hourly, "report", SLOT))
        .isEqualTo(Instant.parse("2026-05-01T10:05:27.219Z"));
  }

  @Test
  void schedules_of_one_slot_spread_evenly_around_it() {
    List<Long> shifts = shifts(Jitter.around(Duration.ofMinutes(10)));

    assertThat(shifts)
        .allSatisfy(shift -> assertThat(Math.abs(shift)).isLessThanOrEqualTo(600_000));
    for (int tenth = 0; tenth < 10; tenth++) {
      long low = -600_000 + tenth * 120_000L;
      long inside = shifts.stream().filter(shift -> shift >= low && shift < low + 120_000).count();
      assertThat(inside).isBetween(850L, 1150L);
    }
  }

  @Test
  void jitter_after_the_slot_never_makes_a_run_early() {
    List<Long> shifts = shifts(Jitter.after(Duration.ofMinutes(10)));

    assertThat(shifts).allSatisfy(shift -> assertThat(shift).isBetween(0L, 600_000L));
  }

  private List<Long> shifts(Jitter jitter) {
    return IntStream.range(0, 10_000)
        .mapToLong(
            i -> Duration.between(SLOT, jitter.dueAt(hourly, "schedule-" + i, SLOT)).toMillis())
        .boxed()
        .toList();
  }

  @Test
  void jitter_wider_than_the_timing_keeps_the_order_of_slots() {
    var minutely = Every.of(Duration.ofMinutes(1));
    for (Jitter jitter :
        new Jitter[] {Jitter.around(Duration.ofHours(1)), Jitter.after(Duration.ofHours(1))}) {
      Instant before = Instant.MIN;
      for (Instant slot : minutely.between(SLOT, SLOT.plus(Duration.ofDays(1)))) {
        Instant due = jitter.dueAt(minutely, "report", slot);
        assertThat(due).isAfterOrEqualTo(before).isBeforeOrEqualTo(slot.plusSeconds(60));
        before = due;
      }
    }
  }

  @Test
  void a_single_slot_may_shift_to_either_side() {
    var once = new Once(SLOT);
    var jitter = Jitter.around(Duration.ofSeconds(1));

    assertThat(
            Stream.of("a", "b", "c", "d", "e", "f", "g").map(key -> jitter.dueAt(once, key, SLOT)))
        .anyMatch(SLOT::isBefore)
        .anyMatch(SLOT::isAfter);
  }

  @Test
  void an_amount_that_makes_no_sense_is_refused() {
    assertThatThrownBy(() -> Jitter.around(Duration.ofSeconds(-1)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("jitter must be from 0 to 366d; was PT-1S");
    assertThatThrownBy(() -> Jitter.after(Duration.ofDays(367)))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
