package dev.carillon.engine;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;

/** The time a node works by: the database's clock, and a clock of its own that is never set. */
public interface NodeTime extends InstantSource {
  /** Return nanoseconds since some moment, by the clock that is never set. */
  long nanos();

  /** Return how the database's clock was last set, as far as this node has seen. */
  Optional<ClockStep> lastStep();

  /**
   * Return how far the clock of the machine was ahead of the database's when that was last read.
   */
  default Duration machineAhead() {
    return Duration.ZERO;
  }

  /** Read the database's clock and return what it says. */
  default Instant sync() {
    return instant();
  }
}
