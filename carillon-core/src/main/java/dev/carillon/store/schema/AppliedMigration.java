package dev.carillon.store.schema;

/**
 * A migration as the database remembers it.
 *
 * @param breaking whether versions that do not know it must keep away
 * @param appliedBy the version of Carillon that applied it
 */
record AppliedMigration(
    int number, String name, String checksum, boolean breaking, String appliedBy) {}
