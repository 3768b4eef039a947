package dev.carillon.model;

import java.time.Instant;

/**
 * A version of a schedule whose runs are looked for.
 *
 * @param schedule the number of the schedule
 * @param version the version
 * @param until no run of it has a later slot
 */
public record VersionRef(long schedule, int version, Instant until) {}
