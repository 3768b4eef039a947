package dev.carillon.resilience.cluster;

import java.time.Instant;

/**
 * One call that a node made to the endpoint of the journal, as the endpoint saw it.
 *
 * @param run the run it was for
 * @param schedule the key of its schedule; empty for a run without one
 * @param slot the slot of the run
 * @param attempt which attempt of the run, from 1
 * @param key its idempotency key
 * @param begin when it came
 * @param end when it was answered
 */
public record Call(
    String run,
    String schedule,
    Instant slot,
    int attempt,
    String key,
    Instant begin,
    Instant end) {}
