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
 * @param settled slots after that which have a run already, or stay decided about
 * @param plannedRuns how many slots became runs so far
 * @param pauseFrom the first instant whose slots do not run, if a pause is to come
 * @param moves what moves the due times of its slots
 */
public record Standing(
    long scheduleId,
    String key,
    int version,
    Definition definition,
    Instant plannedThrough,
    SortedSet<Instant> settled,
    long plannedRuns,
    Optional<Instant> pauseFrom,
    DueMoves moves) {

  public Standing {
    settled = Collections.unmodifiableSortedSet(new TreeSet<>(settled));
  }

  /** The standing of a schedule whose slots are due at their own time. */
  public Standing(
      long scheduleId,
      String key,
      int version,
      Definition definition,
      Instant plannedThrough,
      SortedSet<Instant> settled,
      long plannedRuns,
      Optional<Instant> pauseFrom) {
    this(
        scheduleId,
        key,
        version,
        definition,
        plannedThrough,
        settled,
        plannedRuns,
        pauseFrom,
        DueMoves.NONE);
  }

  /** Return this standing of a schedule whose due times {@code others} move. */
  public Standing moving(DueMoves others) {
    Optional<Instant> paused =
        moves.isNone()
            ? pauseFrom.map(from -> SlotsToCome.from(definition.timing(), others.rule(), from))
            : pauseFrom;
    return new Standing(
        scheduleId, key, version, definition, plannedThrough, settled, plannedRuns, paused, others);
  }

  /** Return where planning stands after {@code plan}. */
  Standing after(Plan plan) {
    return new Standing(
        scheduleId,
        key,
        version,
        definition,
        plan.plannedThrough(),
        settled,
        plan.plannedRuns(),
        pauseFrom,
        moves.after(plan));
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
