package dev.carillon.model;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.UUID;

/**
 * A process of the cluster.
 *
 * @param id unique to the process
 * @param epoch grows each time it rejoins after its lease was lost
 * @param name for people: host and process
 * @param version of Carillon
 * @param startedAt when it joined first
 * @param seenAt when it last gave a sign of life
 * @param leaseUntil until when its runs are its own
 * @param leaderSince since when it does what one node does for all; empty if another does
 * @param concurrency how many runs it does at a time; empty, as what follows, of an older version
 * @param timeZones the version of the time zone rules it plans by
 * @param clockAhead how far the clock of its machine is ahead of the database's, which counts
 */
public record NodeInfo(
    UUID id,
    long epoch,
    String name,
    String version,
    Instant startedAt,
    Instant seenAt,
    Instant leaseUntil,
    Optional<Instant> leaderSince,
    Optional<Integer> concurrency,
    Optional<String> timeZones,
    Optional<Duration> clockAhead) {}
