package dev.carillon.cli.rooms.broken.time;

import java.time.Instant;

/** A decision that reads the clock. */
final class ReadsClock {
  private ReadsClock() {}

  static Instant decide() {
    return Instant.now();
  }
}
