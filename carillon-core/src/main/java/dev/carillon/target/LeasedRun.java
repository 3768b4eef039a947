package dev.carillon.target;

import dev.carillon.model.Run;
import java.time.Instant;

/**
 * A run that a worker was given.
 *
 * @param run what to do
 * @param lease what to show when renewing and completing
 * @param until when it is taken away, unless the worker renews
 */
public record LeasedRun(Run run, Lease lease, Instant until) {}
