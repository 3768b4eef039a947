package dev.carillon.plan;

import java.time.Instant;
import java.util.Optional;

/**
 * How far a schedule is.
 *
 * @param plannedThrough slots up to here are runs or decisions
 * @param open whether there is a slot to plan
 * @param firstAhead the first slot to come that is a run already
 * @param runs how many slots that have passed became runs
 */
public record Outlook(
    Instant plannedThrough, boolean open, Optional<Instant> firstAhead, long runs) {}
