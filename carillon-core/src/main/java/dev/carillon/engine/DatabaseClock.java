package dev.carillon.engine;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.Optional;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The database's clock without asking it each time: never ahead of it, so that nothing starts
 * early.
 *
 * <p>The clock is read now and then, and time since then is measured here. What it showed is taken
 * for the moment its answer arrived, when it was a little later already. A reading that the time
 * since the last one does not explain is a step of the clock.
 */
public final class DatabaseClock implements NodeTime {
  /* Clocks run at slightly different speeds: 500 ppm is what NTP assumes at worst. */
  private static final long DRIFT_DIVISOR = 2_000;

  /* Small against every lease, and large against what moves a clock that is merely adjusted. */
  private static final Duration MIN_STEP = Duration.ofMillis(250);

  private final Supplier<Instant> clock;
  private final LongSupplier nanos;
  private final Optional<InstantSource> machine;
  private volatile Duration machineAhead = Duration.ZERO;
  private volatile @Nullable Reading last;
  private volatile @Nullable ClockStep step;

  /* The clock showed this at some moment between the two. */
  private record Reading(Instant shown, long askedAt, long at) {}

  /** Follow {@code clock}, measuring with {@code nanos} in between. */
  public DatabaseClock(Supplier<Instant> clock, LongSupplier nanos) {
    this(clock, nanos, Optional.empty());
  }

  private DatabaseClock(
      Supplier<Instant> clock, LongSupplier nanos, Optional<InstantSource> machine) {
    this.clock = clock;
    this.nanos = nanos;
    this.machine = machine;
  }

  /** Return the same, which also compares {@code machine} with the clock it follows. */
  public DatabaseClock comparing(InstantSource machine) {
    return new DatabaseClock(clock, nanos, Optional.of(machine));
  }

  /** Read the clock and return what it says. */
  @Override
  public Instant sync() {
    long askedAt = nanos.getAsLong();
    Instant shown = clock.get();
    long at = nanos.getAsLong();
    machine.ifPresent(
        own -> machineAhead = Duration.between(shown.plusNanos((at - askedAt) / 2), own.instant()));
    take(new Reading(shown, askedAt, at));
    return instant();
  }

  /* Several threads may read at a time; the answer that came last counts. */
  private synchronized void take(Reading reading) {
    Reading before = last;
    if (before != null && reading.at - before.at < 0) {
      return;
    }
    if (before != null) {
      Duration by = step(before, reading);
      if (by.abs().compareTo(MIN_STEP) > 0) { // first, so that no leases are judged without it
        step = new ClockStep(reading.shown, by, reading.at);
      }
    }
    last = reading;
  }

  /* How far the clock is from where it can be at most, given how long the answers took. */
  private static Duration step(Reading before, Reading after) {
    long shown = Duration.between(before.shown, after.shown).toNanos();
    long least = after.askedAt - before.at;
    long most = after.at - before.askedAt;
    long drift = 2 * most / DRIFT_DIVISOR;
    if (shown < least - drift) {
      return Duration.ofNanos(shown - least);
    }
    return Duration.ofNanos(shown > most + drift ? shown - most : 0);
  }

  @Override
  public Instant instant() {
    Reading reading = last;
    if (reading == null) {
      return sync();
    }
    long passed = nanos.getAsLong() - reading.at;
    return reading.shown.plusNanos(passed - passed / DRIFT_DIVISOR).truncatedTo(ChronoUnit.MICROS);
  }

  @Override
  public long nanos() {
    return nanos.getAsLong();
  }

  @Override
  public Duration machineAhead() {
    return machineAhead;
  }

  @Override
  public Optional<ClockStep> lastStep() {
    return Optional.ofNullable(step);
  }
}
