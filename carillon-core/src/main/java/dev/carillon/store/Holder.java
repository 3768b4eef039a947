package dev.carillon.store;

import java.util.UUID;

/**
 * A node in one of its lives: what it claims belongs to both, and is lost with the epoch.
 *
 * @param id the process
 * @param epoch which of its leases
 */
public record Holder(UUID id, long epoch) {}
