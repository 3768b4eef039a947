package dev.carillon.store;

import java.time.Instant;
import java.util.Map;

/**
 * How the cluster is doing, in numbers.
 *
 * @param schedules how many schedules there are by status
 * @param runs how many live runs there are by state
 * @param due schedules whose next slot is to be planned by now
 * @param missed schedules and runs that wait for more than the grace
 * @param stalled running runs that nobody works on any more and nobody has taken over
 * @param nodes how many nodes are alive
 * @param here whether this node is one of them
 * @param deadLetters failed runs, up to ten thousand
 * @param lastSuccesses when a run of each schedule last succeeded, for a few schedules
 * @param failing schedules whose last run failed, the worst first, with how many failed in a row
 */
public record Vitals(
    Map<String, Long> schedules,
    Map<String, Long> runs,
    long due,
    long missed,
    long stalled,
    long nodes,
    boolean here,
    long deadLetters,
    Map<String, Instant> lastSuccesses,
    Map<String, Long> failing) {}
