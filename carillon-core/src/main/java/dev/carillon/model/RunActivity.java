package dev.carillon.model;

import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * What ran in a period that has just passed.
 *
 * @param completeFrom from here on all runs are counted: the start of the period, unless there were
 *     more runs than are looked at
 * @param byMinute runs that are over, by the minute of their slots; the oldest minute first
 * @param lateness by how much they started late; empty if none did start
 */
public record RunActivity(
    Instant completeFrom, List<RunCounts<Instant>> byMinute, Optional<Lateness> lateness) {
  public RunActivity {
    byMinute = List.copyOf(byMinute);
  }

  /**
   * By how many milliseconds runs started after they were due, in their first attempt.
   *
   * @param started how many runs that is about
   * @param worst the run that was the latest
   */
  public record Lateness(long started, long median, long p99, long most, RunId worst) {}
}
