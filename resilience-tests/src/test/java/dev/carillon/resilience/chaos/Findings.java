package dev.carillon.resilience.chaos;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * What a trial came to.
 *
 * @param slots how many slots there were
 * @param decided how many of them did not run, for a recorded reason
 * @param again how many calls were further attempts of a run
 * @param overlaps how many calls of exclusive schedules overlapped
 * @param latest how long after its slot the latest first call came
 * @param broken promises that were not kept, in words
 */
record Findings(
    int slots, int decided, int again, int overlaps, Duration latest, List<String> broken) {
  static final Findings NONE = new Findings(0, 0, 0, 0, Duration.ZERO, List.of());

  Findings and(Findings other) {
    var all = new ArrayList<>(broken);
    all.addAll(other.broken);
    return new Findings(
        slots + other.slots,
        decided + other.decided,
        again + other.again,
        overlaps + other.overlaps,
        latest.compareTo(other.latest) > 0 ? latest : other.latest,
        List.copyOf(all));
  }

  Findings broken(String what) {
    return and(new Findings(0, 0, 0, 0, Duration.ZERO, List.of(what)));
  }
}
