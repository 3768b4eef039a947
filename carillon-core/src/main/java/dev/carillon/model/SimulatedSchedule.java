package dev.carillon.model;

import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * What would become of the slots of a schedule in a period.
 *
 * @param key the key of the schedule
 * @param runs the slots that become runs, by the time they are due
 * @param dropped the slots that become none, in stretches with their reason
 * @param cutAt the slot from which on nothing is known, because there are too many before; empty if
 *     all is known
 */
public record SimulatedSchedule(
    String key, List<SimulatedRun> runs, List<DroppedSlots> dropped, Optional<Instant> cutAt) {
  public SimulatedSchedule {
    runs = List.copyOf(runs);
    dropped = List.copyOf(dropped);
  }
}
