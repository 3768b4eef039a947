package dev.carillon.model;

import java.time.Instant;

/**
 * A recorded decision that slots become no run.
 *
 * @param dropped which slots, and why
 * @param version the version of the schedule that named them
 * @param decidedAt when it was decided
 */
public record Decision(Dropped dropped, int version, Instant decidedAt) {}
