package dev.carillon.model;

import java.time.Instant;
import java.util.UUID;

/**
 * A process that is no node and fetches runs.
 *
 * @param id what its runs have as their node; always the same for a name
 * @param name what it calls itself
 * @param since when it first called, without a silence longer than its lease
 * @param seenAt when it last called
 * @param leaseUntil until when it is counted on
 * @param inHand how many runs it has
 */
public record WorkerInfo(
    UUID id, String name, Instant since, Instant seenAt, Instant leaseUntil, int inHand) {}
