package dev.carillon.model;

import java.time.Instant;
import java.time.ZonedDateTime;
import java.util.Optional;

/**
 * A slot that is to come.
 *
 * @param slot the planned time
 * @param dueAt when its run may start: the slot, moved by jitter
 * @param local the slot on the clock of its timing
 * @param note what daylight saving does to it, if anything
 */
public record UpcomingSlot(
    Instant slot, Instant dueAt, ZonedDateTime local, Optional<String> note) {}
