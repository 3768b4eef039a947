package dev.carillon.model;

import java.time.Instant;

/**
 * A recorded decision that slots become no run.
 *
 * @param droppedSlots which slots, and why
 * @param version the version of the schedule that named them
 * @param decidedAt when it was decided
 */
public record Decision(DroppedSlots droppedSlots, int version, Instant decidedAt) {}
