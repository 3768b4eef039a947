package dev.carillon.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.carillon.time.Cron;
import java.time.Instant;
import java.time.ZoneId;
import org.junit.jupiter.api.Test;

/** Terms that mean something else to a peer, and so are translated or left out of comparisons. */
class DialectTest {

  private static final ZoneId UTC = ZoneId.of("UTC");
  private static final Instant MONDAY = Instant.parse("2026-01-05T12:00:00Z");
  private static final Instant TUESDAY = Instant.parse("2026-01-06T00:00:00Z");
  private static final Instant WEDNESDAY = Instant.parse("2026-01-07T00:00:00Z");
  private static final Instant SUNDAY = Instant.parse("2026-01-11T00:00:00Z");

  @Test
  void spring_counts_weekday_steps_from_monday_where_carillon_counts_from_sunday() {
    assertThat(Cron.parse("0 0 * * */2", UTC).next(MONDAY)).contains(TUESDAY);
    assertThat(Peer.SPRING.read("0 0 0 * * */2", UTC).next(MONDAY)).contains(WEDNESDAY);
  }

  @Test
  void cron_utils_takes_seven_for_zero_before_a_step() {
    assertThat(Cron.parse("0 0 * * 7/1", UTC).next(MONDAY)).contains(SUNDAY);
    assertThat(Peer.CRON_UTILS.read("0 0 * * 7/1", UTC).next(MONDAY)).contains(TUESDAY);
  }

  @Test
  void quartz_refuses_to_combine_the_day_fields() {
    assertThat(Cron.parse("0 0 1 * MON", UTC).next(TUESDAY)).isPresent();
    assertThatThrownBy(() -> Peer.QUARTZ.read("0 0 0 1 * MON", UTC))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
