package dev.carillon.engine;

import java.time.Duration;
import java.time.Instant;

/** One turn of something that goes on and on. */
@FunctionalInterface
public interface Step {
  /** Do what is to be done at {@code now}, and return how long to rest before the next turn. */
  Duration run(Instant now);

  /** Return the shorter of two rests. */
  static Duration shorter(Duration one, Duration other) {
    return one.compareTo(other) < 0 ? one : other;
  }
}
