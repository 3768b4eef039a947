package dev.carillon.bench;

/** What a share of some values keeps to. */
public final class Percentile {
  private Percentile() {}

  /** Return the smallest of the {@code sorted} values that this {@code share} of them keeps to. */
  public static double of(double[] sorted, double share) {
    return sorted.length == 0 ? Double.NaN : sorted[(int) Math.ceil(share * sorted.length) - 1];
  }
}
