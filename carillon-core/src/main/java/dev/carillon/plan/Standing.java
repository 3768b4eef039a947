package dev.carillon.plan;

import dev.carillon.model.Definition;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Collections;
import java.util.Optional;
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
 * @param pauseFrom the first instant whose slots do not run, if a pause is to come
 */
public record Standing(
    long scheduleId,
    String key,
    int version,
    Definition definition,
    Instant plannedThrough,
    SortedSet<Instant> settled,
    long plannedRuns,
    Optional<Instant> pauseFrom) {

  public Standing {
    settled = Collections.unmodifiableSortedSet(new TreeSet<>(settled));
  }

  /** Tell whether {@code slot} does not run because a pause begins before or at it. */
  boolean isPaused(Instant slot) {
    return pauseFrom.filter(from -> !slot.isBefore(from)).isPresent();
  }

  /** Return {@code through}, or the last instant before a coming pause if that is earlier. */
  Instant beforePause(Instant through) {
    return pauseFrom
        .map(from -> Instants.earlier(through, from.minus(1, ChronoUnit.MICROS)))
        .orElse(through);
  }

  /** Return how many more slots may become runs. */
  long runsLeft() {
    long most = definition.maxRuns();
    return most == 0 ? Long.MAX_VALUE : Math.max(0, most - plannedRuns);
  }
}
