package dev.carillon.testing;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;

/** A clock that is moved by hand. */
public final class TestClock implements InstantSource {
  private volatile Instant now;

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
  public Instant instant() {
    return now;
  }

  /** Move the clock forward. */
  public void advance(Duration passed) {
    if (passed.isNegative()) {
      throw new IllegalArgumentException("time does not go back; was asked to advance " + passed);
    }
    now = now.plus(passed).truncatedTo(ChronoUnit.MICROS);
  }

  /** Move the clock forward to {@code instant}. */
  public void advanceTo(Instant instant) {
    advance(Duration.between(now, instant));
  }

  @Override
  public String toString() {
    return now.toString();
  }
}
