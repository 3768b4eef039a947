package dev.carillon.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.carillon.fixture.Gen;
import dev.carillon.fixture.Property;
import dev.carillon.testing.TestClock;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

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

  private void pass(Duration time) {
    database.advance(time);
    nanos.addAndGet(time.toNanos());
  }

  @ParameterizedTest
  @ValueSource(ints = {40_000, -40_000, 300, -300})
  void a_clock_that_was_set_shows_at_the_next_reading(int millis) {
    time.sync();
    pass(Duration.ofSeconds(5));
    database.step(Duration.ofMillis(millis));
    assertThat(time.lastStep()).isEmpty();
    Instant read = time.sync();

    assertThat(read).isEqualTo(database.instant());
    assertThat(time.lastStep())
        .hasValueSatisfying(
            step -> {
              assertThat(step.at()).isEqualTo(database.instant());
              assertThat(step.nanos()).isEqualTo(nanos.get());
              assertThat(step.by())
                  .isBetween(Duration.ofMillis(millis - 10), Duration.ofMillis(millis + 10));
            });
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 10, 240, -240})
  void a_clock_that_was_adjusted_a_little_is_no_step(int millis) {
    time.sync();
    pass(Duration.ofSeconds(5));
    database.step(Duration.ofMillis(millis));
    time.sync();

    assertThat(time.lastStep()).isEmpty();
  }

  @Property
  void answers_that_take_long_and_clocks_that_drift_are_no_step(Gen any) {
    var clock = TestClock.at("2026-03-01T00:00:00Z");
    var ticks = new AtomicLong();
    double speed = 1 + any.number(-400, 400) / 1e6;
    Runnable travel =
        () -> {
          long passed = any.number(0L, 8_000_000L) * 1_000L;
          clock.advance(Duration.ofNanos((long) (passed * speed)));
          ticks.addAndGet(passed);
        };
    var slow =
        new DatabaseClock(
            () -> {
              travel.run();
              Instant shown = clock.instant();
              travel.run();
              return shown;
            },
            ticks::get);
    for (int i = 0; i < 20; i++) {
      slow.sync();
      travel.run();
    }

    assertThat(slow.lastStep()).isEmpty();
  }

  @Test
  void it_tells_how_far_the_clock_of_the_machine_is_from_the_databases() {
    var machine = TestClock.at("2026-03-01T00:00:02Z");
    var slow =
        new DatabaseClock(
                () -> {
                  nanos.addAndGet(Duration.ofMillis(20).toNanos());
                  return database.instant();
                },
                nanos::get)
            .comparing(machine);

    slow.sync();
    assertThat(slow.machineAhead()).isEqualTo(Duration.ofMillis(1_990));

    database.advance(Duration.ofSeconds(5));
    slow.sync();
    assertThat(slow.machineAhead()).isEqualTo(Duration.ofMillis(-3_010));
    assertThat(time.machineAhead()).isZero();
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
