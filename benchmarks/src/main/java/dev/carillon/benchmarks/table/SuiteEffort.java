package dev.carillon.benchmarks.table;

import java.util.List;

/**
 * How much is measured.
 *
 * @param jobs how many runs are drained
 * @param repetitions how often, of which the best counts
 * @param fleets how many schedules fire every second, in one measurement each
 * @param seconds for how long they do
 * @param idle how many schedules sleep in the table meanwhile, in one measurement each
 */
record SuiteEffort(
    int jobs, int repetitions, List<Integer> fleets, int seconds, List<Integer> idle) {
  static final SuiteEffort FULL =
      new SuiteEffort(
          100_000, 3, List.of(1_000, 5_000, 10_000), 60, List.of(0, 1_000_000, 10_000_000));

  /** A first impression. */
  static final SuiteEffort QUICK =
      new SuiteEffort(20_000, 3, List.of(1_000), 15, List.of(0, 100_000, 1_000_000));

  /** Return the first of two sizes for a first impression, else the other. */
  int choose(int quick, int full) {
    return equals(QUICK) ? quick : full;
  }
}
