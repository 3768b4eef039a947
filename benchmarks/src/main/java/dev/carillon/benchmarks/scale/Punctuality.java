package dev.carillon.benchmarks.scale;

/**
 * How late the fires of some schedules were.
 *
 * @param expected how many slots there were
 * @param seen how many of them had their handler started
 */
record Punctuality(long expected, long seen, double p50Millis, double p99Millis, double maxMillis) {

  /** Tell whether every slot had its handler started. */
  boolean isComplete() {
    return seen == expected;
  }

  /** Judge fires by how late each was, in milliseconds, the latest last. */
  static Punctuality of(double[] sorted, long expected) {
    return new Punctuality(
        expected, sorted.length, share(sorted, 0.50), share(sorted, 0.99), share(sorted, 1));
  }

  /** Return the smallest of the {@code sorted} values that this {@code share} of them keeps to. */
  private static double share(double[] sorted, double share) {
    return sorted.length == 0 ? Double.NaN : sorted[(int) Math.ceil(share * sorted.length) - 1];
  }
}
