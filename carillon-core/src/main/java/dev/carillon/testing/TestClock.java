package dev.carillon.testing;

import dev.carillon.engine.ClockStep;
import dev.carillon.engine.NodeTime;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A clock that is moved by hand: time passes, or the clock is set. */
public final class TestClock implements NodeTime {
  /* All guarded by this. */
  private Instant now;
  private Duration passed = Duration.ZERO;
  private @Nullable ClockStep step;

  private TestClock(Instant now) {
    this.now = now.truncatedTo(ChronoUnit.MICROS);
  }

  /** Return a clock that shows {@code now}. */
  public static TestClock at(Instant now) {
    return new TestClock(now);
  }

  /** Return a clock that shows {@code now}, such as {@code 2026-03-01T00:00:00Z}. */
  public static TestClock at(String now) {
    return at(Instant.parse(now));
  }

  @Override
  public synchronized Instant instant() {
    return now;
  }

  /** Let time pass, which moves the clock forward. */
  public synchronized void advance(Duration passed) {
    if (passed.isNegative()) {
      throw new IllegalArgumentException("time does not go back; was asked to advance " + passed);
    }
    Instant before = now;
    now = now.plus(passed).truncatedTo(ChronoUnit.MICROS);
    this.passed = this.passed.plus(Duration.between(before, now));
  }

  /** Let time pass until the clock shows {@code instant}. */
  public synchronized void advanceTo(Instant instant) {
    advance(Duration.between(now, instant));
  }

  /**
   * Set the clock forward, or back if {@code by} is negative, as an administrator does, or a
   * standby with another clock that takes over: no time passes.
   */
  public synchronized void step(Duration by) {
    now = now.plus(by).truncatedTo(ChronoUnit.MICROS);
    step = new ClockStep(now, by, passed.toNanos());
  }

  /** Return how much time has passed, in nanoseconds, however the clock was set. */
  @Override
  public synchronized long nanos() {
    return passed.toNanos();
  }

  @Override
  public synchronized Optional<ClockStep> lastStep() {
    return Optional.ofNullable(step);
  }

  @Override
  public String toString() {
    return instant().toString();
  }
}
