package dev.carillon.target;

/**
 * How a worker ended a run.
 *
 * @param lease what it was given
 * @param outcome how it ended
 */
public record Completion(Lease lease, Outcome outcome) {}
