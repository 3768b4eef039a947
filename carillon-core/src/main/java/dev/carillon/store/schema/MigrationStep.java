package dev.carillon.store.schema;

import java.time.Duration;

/**
 * A migration that was applied.
 *
 * @param number its place among all of them
 * @param name that of its file
 * @param took how long it took by the database's clock, without waiting for other nodes
 */
public record MigrationStep(int number, String name, Duration took) {}
