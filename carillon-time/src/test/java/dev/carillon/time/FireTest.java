package dev.carillon.time;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class FireTest {
  private static final ZoneId ROME = ZoneId.of("Europe/Rome");
  private static final ZoneId UTC = ZoneId.of("UTC");

  @Test
  void a_preview_shows_slots_with_their_local_time() {
    var fires =
        Fire.next(Cron.parse("30 2 * * 1-5", ROME), UTC, Instant.parse("2027-03-26T00:00:00Z"), 2);

    assertThat(fires)
        .extracting(fire -> fire.local().toString())
        .containsExactly(
            "2027-03-26T02:30+01:00[Europe/Rome]", "2027-03-29T02:30+02:00[Europe/Rome]");
    assertThat(fires).extracting(Fire::note).containsOnly(Optional.empty());
  }

  @Test
  void a_slot_moved_out_of_a_gap_says_so() {
    assertThat(noteAfter("30 2 * * *", "2027-03-28T00:00:00Z"))
        .contains("moved from 02:30, which the clocks skip that day");
  }

  @Test
  void a_regular_slot_right_after_a_gap_is_nothing_special() {
    assertThat(noteAfter("0,30 2,3 * * *", "2027-03-28T00:00:00Z")).isEmpty();
  }

  @Test
  void slots_in_a_repeated_hour_say_which_one_they_are() {
    assertThat(noteAfter("30 2 * * *", "2027-10-30T22:00:00Z"))
        .contains("first of two 02:30, the only one to fire");
    assertThat(noteAfter("30 * * * *", "2027-10-31T00:00:00Z")).contains("first of two 02:30");
    assertThat(noteAfter("30 * * * *", "2027-10-31T01:00:00Z")).contains("second of two 02:30");
  }

  private static Optional<String> noteAfter(String expression, String after) {
    return Fire.next(Cron.parse(expression, ROME), UTC, Instant.parse(after), 1).get(0).note();
  }

  @Test
  void looking_back_lists_the_newest_first() {
    var hourly = Every.of(Duration.ofHours(1));

    assertThat(Fire.previous(hourly, ROME, Instant.parse("2026-05-01T10:30:00Z"), 2))
        .extracting(fire -> fire.local().toString())
        .containsExactly(
            "2026-05-01T12:00+02:00[Europe/Rome]", "2026-05-01T11:00+02:00[Europe/Rome]");
  }

  @Test
  void a_preview_ends_where_the_timing_ends() {
    var once = new Once(Instant.parse("2026-05-01T10:30:00Z"));

    assertThat(Fire.next(once, UTC, Instant.EPOCH, 5)).hasSize(1);
    assertThat(Fire.previous(once, UTC, Instant.MAX, 5)).hasSize(1);
  }
}
