package dev.carillon.benchmarks.measure;

import dev.carillon.bench.Percentile;

/**
 * How late the fires of some schedules were.
 *
 * @param expected how many slots there were
 * @param seen how many of them had their handler started
 */
public record Punctuality(
    long expected, long seen, double p50Millis, double p99Millis, double maxMillis) {

  /** Say whether every slot had its handler started. */
  public boolean complete() {
    return seen == expected;
  }

  /** Sum up how late each fire was, in milliseconds, the latest last. */
  public static Punctuality of(double[] sorted, long expected) {
    return new Punctuality(
        expected,
        sorted.length,
        Percentile.of(sorted, 0.50),
        Percentile.of(sorted, 0.99),
        Percentile.of(sorted, 1));
  }
}
