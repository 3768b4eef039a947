package dev.carillon.model;

import java.time.Instant;

/**
 * By whom and when something was done.
 *
 * @param at when
 * @param by who
 */
public record ChangedBy(Instant at, String by) {}
