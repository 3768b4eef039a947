package dev.carillon.store.cluster;

import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
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
public record ClusterStats(
    Map<String, Long> schedules,
    Map<String, Long> runs,
    long due,
    long missed,
    long stalled,
    long nodes,
    boolean here,
    long deadLetters,
    Map<String, Instant> lastSuccesses,
    Map<String, Long> failing) {
  /** What is said of a node that has no lease. */
  public static final String NOT_RUNNING =
      "not running: this node has no lease, so it starts nothing";

  private static final int MISSED = 10;
  private static final int STALLED = 5;

  /** Return a sentence about each thing that is wrong. */
  public List<String> reasons() {
    var reasons = new ArrayList<String>();
    if (!here) {
      reasons.add(NOT_RUNNING);
    }
    if (missed > MISSED) {
      reasons.add(
          "missed: %s schedules or runs wait for more than a minute; at most %s may"
              .formatted(missed, MISSED));
    }
    if (stalled > STALLED) {
      reasons.add(
          "stalled: nobody works on %s running runs any more; at most %s may be so"
              .formatted(stalled, STALLED));
    }
    return reasons;
  }

  /** Return the figures by which health is told. */
  public Map<String, Long> numbers() {
    var numbers = new LinkedHashMap<String, Long>();
    numbers.put("missed", missed);
    numbers.put("stalled", stalled);
    numbers.put("due", due);
    numbers.put("nodes", nodes);
    numbers.put("pending", runs.getOrDefault("pending", 0L));
    numbers.put("running", runs.getOrDefault("running", 0L));
    return numbers;
  }
}
