package dev.carillon.time;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.zone.ZoneOffsetTransition;
import java.util.function.BiConsumer;
import org.junit.jupiter.api.Test;

/** What the evaluator takes for granted about the zones of this JVM. */
class ZoneShiftsTest {
  private static final Instant FIRST = Instant.parse("1970-01-01T00:00:00Z");
  private static final Instant LAST = Instant.parse("2200-01-02T00:00:00Z");

  @Test
  void repeated_and_skipped_stretches_of_local_time_lie_days_apart() {
    forEachPair(
        (earlier, later) ->
            assertThat(Duration.between(end(earlier), start(later)))
                .as("from %s to %s", earlier, later)
                .isGreaterThan(Duration.ofDays(3)));
  }

  @Test
  void no_clock_is_put_forward_by_more_than_a_day_or_back_by_more_than_half_a_day() {
    forEachPair(
        (earlier, later) ->
            assertThat(later.getDuration())
                .as("%s", later)
                .isBetween(Duration.ofHours(-12), Duration.ofHours(24)));
  }

  /** Visit each two neighbouring transitions of every zone. */
  private static void forEachPair(BiConsumer<ZoneOffsetTransition, ZoneOffsetTransition> check) {
    int pairs = 0;
    for (ZoneId zone : TimeGen.ZONES) {
      ZoneOffsetTransition earlier = zone.getRules().nextTransition(FIRST);
      while (earlier != null && earlier.getInstant().isBefore(LAST)) {
        ZoneOffsetTransition later = zone.getRules().nextTransition(earlier.getInstant());
        if (later != null) {
          check.accept(earlier, later);
          pairs++;
        }
        earlier = later;
      }
    }
    assertThat(pairs).isGreaterThan(50_000);
  }

  private static LocalDateTime start(ZoneOffsetTransition shift) {
    return shift.isGap() ? shift.getDateTimeBefore() : shift.getDateTimeAfter();
  }

  private static LocalDateTime end(ZoneOffsetTransition shift) {
    return shift.isGap() ? shift.getDateTimeAfter() : shift.getDateTimeBefore();
  }
}
