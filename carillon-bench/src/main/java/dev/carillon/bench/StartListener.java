package dev.carillon.bench;

import java.time.Instant;

/** What every handler does: it says that it was started, and for which slot. */
@FunctionalInterface
public interface StartListener {

  /**
   * Called when the handler of a run starts.
   *
   * @param number which of the runs or schedules it is, from 0
   * @param slot when it was planned to start
   * @param attempt which attempt of the run it is, from 1; always 1 for a contender that does not
   *     say
   */
  void started(int number, Instant slot, int attempt);
}
