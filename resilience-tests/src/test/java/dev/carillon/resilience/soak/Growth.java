package dev.carillon.resilience.soak;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * Whether a figure grew: its median over the second half beside that over the first.
 *
 * @param name what was measured
 * @param first the median of the first half, after the warm-up
 * @param second the median of the second half
 * @param most the largest value of both
 * @param perHour the median slope between pairs of samples, per hour
 */
record Growth(String name, long first, long second, long most, long perHour) {
  private static final double WARM_UP = 0.15;
  private static final double TOLERANCE = 1.15;

  /** Compare the halves of {@code values}, which were taken at {@code seconds}. */
  static Growth of(String name, List<Long> seconds, List<Long> values) {
    int from = (int) Math.ceil(values.size() * WARM_UP);
    int middle = from + (values.size() - from) / 2;
    var slopes = new ArrayList<Long>();
    for (int i = from; i < values.size(); i++) {
      for (int j = i + 1; j < values.size(); j++) {
        slopes.add(
            (values.get(j) - values.get(i)) * 3600 / Math.max(1, seconds.get(j) - seconds.get(i)));
      }
    }
    List<Long> settled = values.subList(from, values.size());
    return new Growth(
        name,
        median(values.subList(from, Math.max(from + 1, middle))),
        median(values.subList(Math.min(middle, values.size() - 1), values.size())),
        Collections.max(settled),
        slopes.isEmpty() ? 0 : median(slopes));
  }

  /** Say whether it grew by more than a sixth, and by more than {@code noise}. */
  boolean grew(long noise) {
    return second > first * TOLERANCE && second - first > noise;
  }

  private static long median(List<Long> values) {
    var sorted = new ArrayList<>(values);
    Collections.sort(sorted);
    return sorted.get(sorted.size() / 2);
  }
}
