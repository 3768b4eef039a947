package dev.carillon.model;

import java.time.Duration;

/**
 * What a node says of itself when it joins.
 *
 * @param name for people: host and process
 * @param version of Carillon
 * @param concurrency how many runs it does at a time
 * @param timeZones the version of the time zone rules it plans by
 * @param clockAhead how far the clock of its machine is ahead of the database's
 */
public record NodeProfile(
    String name, String version, int concurrency, String timeZones, Duration clockAhead) {}
