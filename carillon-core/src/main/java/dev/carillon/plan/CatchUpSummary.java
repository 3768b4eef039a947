package dev.carillon.plan;

import java.time.Instant;

/**
 * How a schedule makes up for slots that were missed.
 *
 * @param first the earliest of them
 * @param last the latest of them that runs
 * @param slots how many there were, those that never run included
 * @param runs how many of them run
 */
public record CatchUpSummary(Instant first, Instant last, long slots, int runs) {}
