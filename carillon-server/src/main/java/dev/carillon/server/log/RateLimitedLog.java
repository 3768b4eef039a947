package dev.carillon.server.log;

import java.time.Duration;
import java.util.OptionalLong;
import java.util.function.LongSupplier;

/**
 * Something that may happen very often, and is told at most once a minute with how often it did.
 */
public final class RateLimitedLog {
  private static final Duration LOG_INTERVAL = Duration.ofMinutes(1);

  private final LongSupplier nanos;
  private long toldAt;
  private long untold;
  private boolean told;

  /** Tell the first time. */
  public RateLimitedLog() {
    this(System::nanoTime);
  }

  RateLimitedLog(LongSupplier nanos) {
    this.nanos = nanos;
  }

  /** Count another time; return how often it has happened since it was told, if it is to be now. */
  public synchronized OptionalLong happened() {
    long now = nanos.getAsLong();
    untold++;
    if (told && now - toldAt < LOG_INTERVAL.toNanos()) {
      return OptionalLong.empty();
    }
    long times = untold;
    told = true;
    toldAt = now;
    untold = 0;
    return OptionalLong.of(times);
  }
}
