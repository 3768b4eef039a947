package dev.carillon.benchmarks.scale;

import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** A schedule that fires every second whatever the others do, and how late each slot of it was. */
final class Bystander {
  private final Map<Instant, Duration> lateness = new ConcurrentHashMap<>();

  /**
   * What was found.
   *
   * @param expected how many slots there were
   * @param seen how many of them had their handler started
   */
  record Outcome(long expected, long seen, double p50Millis, double p99Millis, double maxMillis) {}

  /** Hear that the handler of {@code slot} was started. */
  void ring(Instant slot) {
    lateness.putIfAbsent(slot, Duration.between(slot, Instant.now()));
  }

  /** Return what became of the slots from {@code from} up to, without, {@code until}. */
  Outcome between(Instant from, Instant until) {
    double[] millis =
        lateness.entrySet().stream()
            .filter(entry -> !entry.getKey().isBefore(from) && entry.getKey().isBefore(until))
            .mapToDouble(entry -> entry.getValue().toNanos() / 1e6)
            .sorted()
            .toArray();
    long expected = Math.max(1, (long) Math.ceil(Duration.between(from, until).toMillis() / 1e3));
    return new Outcome(
        expected, millis.length, share(millis, 0.50), share(millis, 0.99), share(millis, 1));
  }

  /** Return the smallest of the {@code sorted} values that this {@code share} of them keeps to. */
  static double share(double[] sorted, double share) {
    return sorted.length == 0 ? Double.NaN : sorted[(int) Math.ceil(share * sorted.length) - 1];
  }
}
