package dev.carillon.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.carillon.fixture.Gen;
import dev.carillon.fixture.Property;
import dev.carillon.testing.TestClock;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class DatabaseClockTest {
  private final TestClock database = TestClock.at("2026-03-01T00:00:00Z");
  private final AtomicLong nanos = new AtomicLong(-5);
  private final DatabaseClock time = new DatabaseClock(database::instant, nanos::get);

  @Test
  void the_first_look_asks_the_database() {
    assertThat(time.instant()).isEqualTo("2026-03-01T00:00:00Z");
  }

  @Test
  void between_readings_time_goes_on() {
    time.sync();
    nanos.addAndGet(Duration.ofSeconds(2).toNanos());

    assertThat(time.instant())
        .isBetween(Instant.parse("2026-03-01T00:00:01.99Z"), Instant.parse("2026-03-01T00:00:02Z"));
  }

  @Test
  void a_clock_that_was_set_back_is_followed() {
    time.sync();
    var earlier = TestClock.at("2026-02-28T00:00:00Z");

    assertThat(new DatabaseClock(earlier::instant, nanos::get).sync())
        .isEqualTo("2026-02-28T00:00:00Z");
  }

  @Property
  void it_is_never_ahead_of_the_database_whose_clock_runs_a_little_slower_or_faster(Gen any) {
    var clock = TestClock.at("2026-03-01T00:00:00Z");
    var ticks = new AtomicLong();
    var estimate = new DatabaseClock(clock::instant, ticks::get);
    double speed = 1 + any.number(-400, 400) / 1e6;

    for (int i = 0; i < 20; i++) {
      if (any.number(0, 3) == 0) {
        estimate.sync();
      }
      long passed = any.number(0L, 5_000_000L) * 1_000L;
      clock.advance(Duration.ofNanos((long) (passed * speed)));
      ticks.addAndGet(passed);

      assertThat(estimate.instant()).isBeforeOrEqualTo(clock.instant().plusNanos(2_000));
    }
  }
}
