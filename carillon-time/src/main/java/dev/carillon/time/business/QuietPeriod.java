package dev.carillon.time.business;

import java.time.Instant;

/**
 * A stretch of quiet time, with whatever adjoins or overlaps.
 *
 * @param start the first instant
 * @param end the first instant that is not quiet
 * @param reason why it is quiet, in words, such as "22:00-07:00 is quiet"
 */
public record QuietPeriod(Instant start, Instant end, String reason) {}
