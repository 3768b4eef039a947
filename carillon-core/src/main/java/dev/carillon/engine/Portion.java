package dev.carillon.engine;

/**
 * How many schedules a turn of planning takes: as many as are likely to bring as many runs as one
 * statement carries well, so that changes of those schedules never wait for long.
 */
final class Portion {
  static final int MOST_SCHEDULES = 1_000;

  /** After how many runs a turn ends. */
  static final int MOST_RUNS = 4_000;

  private double runsEach = MOST_RUNS / 200.0;

  int schedules() {
    return (int) Math.max(1, Math.min(MOST_SCHEDULES, MOST_RUNS / runsEach));
  }

  /** Take note of how many runs so many schedules brought. */
  void written(int schedules, int runs) {
    if (schedules > 0) {
      runsEach = Math.max(1, (double) runs / schedules);
    }
  }
}
