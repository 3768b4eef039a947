package dev.carillon.store.schema;

/** A migration in the database, and the version of Carillon that applied it. */
record AppliedMigration(
    int number, String name, String checksum, boolean breaking, String appliedBy) {}
