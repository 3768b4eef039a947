package dev.carillon.store.cluster;

import dev.carillon.store.calendar.CalendarCoverage;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Figures of the cluster.
 *
 * @param schedules numbers of schedules by status
 * @param runs numbers of live runs by state
 * @param due schedules to plan by now
 * @param missed schedules and runs that have waited for longer than the grace
 * @param stalled running runs without a live owner
 * @param here whether this node is alive
 * @param deadLetters up to ten thousand
 * @param lastSuccesses times of the last success, for a few schedules
 * @param silent keys of schedules and pings that did not succeed for as long as they are expected
 *     to, the longest silent first; up to ten
 * @param silentCount how many they are in all, up to ten thousand
 * @param failing numbers of failures in a row by schedule, highest first
 * @param coverage days until the holidays of calendars in use are not known any more, by name
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
    List<String> silent,
    long silentCount,
    Map<String, Long> failing,
    Map<String, Long> coverage) {
  /** The reason of a node without a lease. */
  public static final String NOT_RUNNING =
      "not running: this node has no lease, so it starts nothing";

  /** So many days before the holidays of a calendar end, that is a problem. */
  public static final int COVERAGE_DAYS = CalendarCoverage.WARNED_DAYS;

  private static final int MISSED = 10;
  private static final int STALLED = 5;

  /** Return a sentence for each problem. */
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
          "stalled: %s running runs have no live node or worker; at most %s may be so"
              .formatted(stalled, STALLED));
    }
    if (silentCount > 0) {
      reasons.add(
          "silent: %s of the schedules and pings did not succeed for as long as expected: %s%s"
              .formatted(
                  silentCount,
                  String.join(", ", silent),
                  silentCount > silent.size() ? ", …" : ""));
    }
    coverage.forEach(
        (name, days) -> {
          if (days < COVERAGE_DAYS) {
            reasons.add(coverage(name, days));
          }
        });
    return reasons;
  }

  private static String coverage(String calendar, long days) {
    String cure = "; import the years after that, or set its coverageUntil";
    if (days < 0) {
      return "calendar: the holidays of '%s' have not been known for %s day%s%s"
          .formatted(calendar, -days, days == -1 ? "" : "s", cure);
    }
    return "calendar: the holidays of '%s' are known for %s more day%s%s"
        .formatted(calendar, days, days == 1 ? "" : "s", cure);
  }

  /** Return the figures of health. */
  public Map<String, Long> numbers() {
    var numbers = new LinkedHashMap<String, Long>();
    numbers.put("missed", missed);
    numbers.put("stalled", stalled);
    numbers.put("due", due);
    numbers.put("silent", silentCount);
    numbers.put("nodes", nodes);
    numbers.put("pending", runs.getOrDefault("pending", 0L));
    numbers.put("running", runs.getOrDefault("running", 0L));
    return numbers;
  }
}
