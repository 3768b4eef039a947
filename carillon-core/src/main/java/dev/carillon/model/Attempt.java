package dev.carillon.model;

import java.time.Instant;
import java.util.Optional;
import java.util.UUID;

/**
 * A try of a run that is over and was followed, or could have been, by another.
 *
 * @param number from one
 * @param state how it ended: failed, or canceled
 * @param node the node that tried
 * @param startedAt when it began
 * @param finishedAt when it was known to be over
 * @param nextAt when the next attempt was to begin, if that is known
 * @param failure why it was not the last
 */
public record Attempt(
    int number,
    RunState state,
    Optional<UUID> node,
    Instant startedAt,
    Instant finishedAt,
    Optional<Instant> nextAt,
    Failure failure) {}
