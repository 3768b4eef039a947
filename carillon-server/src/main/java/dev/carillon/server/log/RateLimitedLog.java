package dev.carillon.server.log;

import java.time.Duration;
import java.util.OptionalLong;
import java.util.function.LongSupplier;

/** Limits a line of the log to one a minute, which says how often the same has happened. */
public final class RateLimitedLog {
  private static final Duration LOG_INTERVAL = Duration.ofMinutes(1);

  private final LongSupplier nanos;
  private long loggedAt;
  private long unlogged;
  private boolean logged;

  /** Let the first line through. */
  public RateLimitedLog() {
    this(System::nanoTime);
  }

  RateLimitedLog(LongSupplier nanos) {
    this.nanos = nanos;
  }

  /** Count once more; return how often since the last line, if another line is due. */
  public synchronized OptionalLong happened() {
    long now = nanos.getAsLong();
    unlogged++;
    if (logged && now - loggedAt < LOG_INTERVAL.toNanos()) {
      return OptionalLong.empty();
    }
    long times = unlogged;
    logged = true;
    loggedAt = now;
    unlogged = 0;
    return OptionalLong.of(times);
  }
}
