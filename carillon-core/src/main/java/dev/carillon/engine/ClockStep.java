package dev.carillon.engine;

import java.time.Duration;
import java.time.Instant;

/**
 * A clock that was set while it ran, such as by an administrator, by a time server, or because
 * another machine took over.
 *
 * @param at when it was noticed, by the clock as it was set
 * @param by how far it was set: forward, or back if negative
 * @param nanos when it was noticed, by a clock that is never set
 */
public record ClockStep(Instant at, Duration by, long nanos) {
  /** Return the step as text, such as {@code +40.000 s}. */
  public String text() {
    return String.format(java.util.Locale.ROOT, "%+.3f s", by.toMillis() / 1e3);
  }
}
