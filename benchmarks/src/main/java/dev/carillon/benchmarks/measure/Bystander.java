package dev.carillon.benchmarks.measure;

import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** A schedule that fires every second whatever the others do, and how late each slot of it was. */
final class Bystander {
  private final Map<Instant, Duration> lateness = new ConcurrentHashMap<>();

  /** Record that the handler of {@code slot} starts. */
  void started(Instant slot) {
    lateness.putIfAbsent(slot, Duration.between(slot, Instant.now()));
  }

  /** Return what became of the slots from {@code from} up to, without, {@code until}. */
  Punctuality between(Instant from, Instant until) {
    double[] millis =
        lateness.entrySet().stream()
            .filter(entry -> !entry.getKey().isBefore(from) && entry.getKey().isBefore(until))
            .mapToDouble(entry -> entry.getValue().toNanos() / 1e6)
            .sorted()
            .toArray();
    long expected = Math.max(1, (long) Math.ceil(Duration.between(from, until).toMillis() / 1e3));
    return Punctuality.of(millis, expected);
  }
}
