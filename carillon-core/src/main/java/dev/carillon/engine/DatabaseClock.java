package dev.carillon.engine;

import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The database's clock without asking it each time: never ahead of it, so that nothing starts
 * early.
 *
 * <p>The clock is read now and then, and time since then is measured here. What it showed is taken
 * for the moment its answer arrived, when it was a little later already.
 */
public final class DatabaseClock implements InstantSource {
  /* Clocks run at slightly different speeds: 500 ppm is what NTP assumes at worst. */
  private static final long DRIFT_DIVISOR = 2_000;

  private final Supplier<Instant> clock;
  private final LongSupplier nanos;
  private volatile @Nullable Reading last;

  private record Reading(Instant shown, long at) {}

  /** Follow {@code clock}, measuring with {@code nanos} in between. */
  public DatabaseClock(Supplier<Instant> clock, LongSupplier nanos) {
    this.clock = clock;
    this.nanos = nanos;
  }

  /** Read the clock and return what it says. */
  public Instant sync() {
    Instant shown = clock.get();
    last = new Reading(shown, nanos.getAsLong());
    return instant();
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
}
