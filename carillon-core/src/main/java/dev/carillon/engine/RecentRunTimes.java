package dev.carillon.engine;

import dev.carillon.engine.InFlight.Worked;
import java.time.Duration;

/** How long runs took lately, and how large their payloads were. */
final class RecentRunTimes {
  private static final double READY_FOR_NANOS = 50e6;
  private static final double RUNS_OF_FULL_WEIGHT = 200;

  private Worked measured = new Worked(0, 0, 0);
  private double nanosPerRun = Double.POSITIVE_INFINITY;
  private double bytesPerRun;

  /* Of a few runs, how long they took says less than what is known of those before. */
  void measure(Worked worked) {
    long runs = worked.attempts() - measured.attempts();
    if (runs > 0) {
      double weight = Double.isInfinite(nanosPerRun) ? 1 : Math.min(1, runs / RUNS_OF_FULL_WEIGHT);
      nanosPerRun = blend(nanosPerRun, (double) (worked.nanos() - measured.nanos()) / runs, weight);
      bytesPerRun = blend(bytesPerRun, (double) (worked.bytes() - measured.bytes()) / runs, weight);
      measured = worked;
    }
  }

  private static double blend(double before, double lately, double weight) {
    return weight == 1 ? lately : before + (lately - before) * weight;
  }

  /** Return how many runs are over in a moment if so many work at a time, within so much memory. */
  double inAMoment(int concurrency, long mostBytes) {
    double quick = concurrency * READY_FOR_NANOS / Math.max(1, nanosPerRun);
    double small = (double) mostBytes / Math.max(1, bytesPerRun);
    return Math.min(quick, small);
  }

  /** Record that runs held ready waited for {@code time} and had to be given back. */
  void heldTooLong(Duration time) {
    double nanos = time.toNanos();
    nanosPerRun = Double.isInfinite(nanosPerRun) ? nanos : Math.max(nanos, nanosPerRun);
  }
}
