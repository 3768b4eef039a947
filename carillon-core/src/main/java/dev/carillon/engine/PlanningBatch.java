package dev.carillon.engine;

import java.time.Duration;

/**
 * How much a turn of planning takes on: as many schedules as are likely to bring as many runs as
 * one statement carries well, so that changes of those schedules never wait for long. While there
 * is time to spare, less, and with pauses, so that runs that are due now need not wait for the
 * disk: they were 14 instead of 23 ms late (ADR 0017). {@link ClaimPacing} paces claims.
 */
final class PlanningBatch {
  static final int MAX_SCHEDULES = 1_000;
  static final int MAX_RUNS = 4_000;
  private static final int RUNS_WITH_TIME_TO_SPARE = 500;
  private static final Duration URGENT = Duration.ofSeconds(15);

  private double runsEach = MAX_RUNS / 200.0;
  private int runs = MAX_RUNS;
  private double spareShare;

  /** Begin a turn whose most urgent schedule must be planned in {@code spare}. */
  void begin(Duration spare) {
    double ratio = (double) spare.minus(URGENT).toMillis() / URGENT.toMillis();
    spareShare = Math.max(0, Math.min(1, ratio));
    runs = spareShare > 0 ? RUNS_WITH_TIME_TO_SPARE : MAX_RUNS;
  }

  int schedules() {
    return (int) Math.max(1, Math.min(MAX_SCHEDULES, runs / runsEach));
  }

  /** Return after how many runs the turn ends. */
  int runs() {
    return runs;
  }

  /** Record how many runs so many schedules brought. */
  void written(int schedules, int runs) {
    if (schedules > 0) {
      runsEach = Math.max(1, (double) runs / schedules);
    }
  }

  /** Return how long to pause after a turn that took so long and left more to do. */
  Duration pause(Duration took) {
    return Duration.ofNanos((long) (took.toNanos() * spareShare));
  }
}
