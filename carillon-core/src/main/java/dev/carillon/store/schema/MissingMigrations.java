package dev.carillon.store.schema;

import java.util.List;

/**
 * What a call of {@link Migrator#migrate} would do.
 *
 * @param names the migrations it would apply, in order
 * @param from the schema's number now, zero if there is none
 * @param to the schema's number after
 */
public record MissingMigrations(List<String> names, int from, int to) {
  public MissingMigrations {
    names = List.copyOf(names);
  }
}
