package dev.carillon.policy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.Duration;
import java.time.Instant;
import java.time.LocalTime;
import java.time.ZoneId;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DeadlineTest {
  @Test
  void a_duration_counts_from_when_the_run_is_due() {
    Instant slot = Instant.parse("2026-03-01T02:00:00Z");

    assertThat(
            Deadline.after(Duration.ofHours(1), "page")
                .of(slot, slot.plusSeconds(90), ZoneId.of("UTC"), Optional.empty()))
        .isEqualTo("2026-03-01T03:01:30Z");
  }

  @ParameterizedTest
  @CsvSource({
    "2026-03-01T02:00:00Z, 06:00, Europe/Rome, 2026-03-01T05:00:00Z",
    "2026-03-01T21:00:00Z, 06:00, Europe/Rome, 2026-03-02T05:00:00Z",
    "2026-03-01T05:00:00Z, 06:00, Europe/Rome, 2026-03-02T05:00:00Z",
    "2026-03-28T21:00:00Z, 06:00, Europe/Rome, 2026-03-29T04:00:00Z",
    // 02:30 does not exist on that day: the clock jumps from 02:00 to 03:00
    "2026-03-28T21:00:00Z, 02:30, Europe/Rome, 2026-03-29T01:30:00Z",
    "2026-10-24T21:00:00Z, 02:30, Europe/Rome, 2026-10-25T00:30:00Z",
    "2026-03-01T02:00:00Z, 06:00, Pacific/Kiritimati, 2026-03-01T16:00:00Z",
  })
  void a_time_of_day_is_the_first_one_after_the_slot(
      Instant slot, LocalTime time, ZoneId zone, Instant deadline) {
    assertThat(Deadline.at(time, "page").of(slot, slot, zone, Optional.empty()))
        .isEqualTo(deadline);
  }

  @Test
  void what_no_run_can_keep_is_refused() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Deadline.after(Duration.ZERO, "page"))
        .withMessage("a deadline is from 1s to 365d after a run is due; was PT0S");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Deadline.after(Duration.ofDays(366), "page"));
    assertThatIllegalArgumentException()
        .isThrownBy(
            () -> new Deadline(Optional.empty(), Optional.empty(), Optional.empty(), "page"))
        .withMessage("a deadline has either after, such as PT1H, or at, such as 06:00");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Deadline.at(LocalTime.NOON, "page").calendar("it"))
        .withMessageContaining("needs after, not at");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Deadline.time("six"))
        .withMessage("must be a time of day such as 06:00");
  }
}
