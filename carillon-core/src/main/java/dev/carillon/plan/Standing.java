package dev.carillon.plan;

import dev.carillon.model.Definition;
import java.time.Instant;
import java.util.SortedSet;

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
    long plannedRuns) {}
