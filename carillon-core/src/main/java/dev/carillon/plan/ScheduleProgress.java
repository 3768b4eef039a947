package dev.carillon.plan;

import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * How far a schedule is.
 *
 * @param next the next slot to plan; empty if there is none for now
 * @param ahead the first slots that are runs already and not due yet, oldest first
 * @param runs how many slots became runs so far
 */
public record ScheduleProgress(Optional<Instant> next, List<Instant> ahead, long runs) {
  public ScheduleProgress {
    ahead = List.copyOf(ahead);
  }
}
