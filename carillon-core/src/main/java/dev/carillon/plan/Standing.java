package dev.carillon.plan;

import dev.carillon.model.Definition;
import java.time.Instant;
import java.util.Collections;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * Where the planning of a schedule stands.
 *
 * @param scheduleId the number of the schedule
 * @param key its key
 * @param version the version of the definition
 * @param definition what runs when
 * @param plannedThrough slots up to here are runs or decisions
 * @param settled slots after that which have a run already
 * @param plannedRuns how many slots became runs so far
 */
public record Standing(
    long scheduleId,
    String key,
    int version,
    Definition definition,
    Instant plannedThrough,
    SortedSet<Instant> settled,
    long plannedRuns) {

  public Standing {
    settled = Collections.unmodifiableSortedSet(new TreeSet<>(settled));
  }

  /** Return how many more slots may become runs. */
  long runsLeft() {
    long most = definition.maxRuns();
    return most == 0 ? Long.MAX_VALUE : Math.max(0, most - plannedRuns);
  }
}
