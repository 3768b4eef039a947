package dev.carillon.benchmarks.table;

import dev.carillon.benchmarks.contender.Entrant;
import dev.carillon.benchmarks.contender.Suite;
import java.util.List;

/**
 * How much is measured.
 *
 * @param quick whether it is for a first impression
 * @param onlyCarillon whether the peers are left out
 * @param jobs how many runs are drained
 * @param repetitions how often, of which the best counts
 * @param fleets how many schedules fire every second, in one measurement each
 * @param seconds for how long they do
 * @param idle how many schedules sleep in the table meanwhile, in one measurement each
 */
record SuiteEffort(
    boolean quick,
    boolean onlyCarillon,
    int jobs,
    int repetitions,
    List<Integer> fleets,
    int seconds,
    List<Integer> idle) {
  static final SuiteEffort FULL =
      new SuiteEffort(
          false,
          false,
          100_000,
          3,
          List.of(1_000, 5_000, 10_000),
          60,
          List.of(0, 1_000_000, 10_000_000));

  static final SuiteEffort QUICK =
      new SuiteEffort(true, false, 20_000, 3, List.of(1_000), 15, List.of(0, 100_000, 1_000_000));

  /** Return the same effort without the peers. */
  SuiteEffort withoutPeers() {
    return new SuiteEffort(quick, true, jobs, repetitions, fleets, seconds, idle);
  }

  /** List the entrants that are measured in {@code suite}. */
  List<Entrant> entrants(Suite suite) {
    return Entrant.in(suite).stream().filter(entrant -> !onlyCarillon || entrant.isOurs()).toList();
  }

  /** Return the first of two sizes for a first impression, else the other. */
  int choose(int quickly, int fully) {
    return quick ? quickly : fully;
  }
}
