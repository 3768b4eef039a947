package dev.carillon.benchmarks.scale;

import java.time.Instant;

/** What every handler does: it tells that it was started, and for which slot. */
@FunctionalInterface
interface Bell {

  /**
   * Hear that the handler of a run was started.
   *
   * @param number which of the runs or schedules it is, from 0
   * @param slot when it was planned to start
   */
  void ring(int number, Instant slot);
}
