package dev.carillon.store.schema;

import dev.carillon.store.jdbc.Database;
import javax.sql.DataSource;

/** A schema as an earlier version of Carillon has left it. */
public final class OlderSchema {
  private OlderSchema() {}

  /** Apply only the first {@code count} migrations to an empty database. */
  public static void migrate(DataSource source, int count) {
    new Migrator(new Database(source), Migration.all().subList(0, count), "0.0.1").migrate();
  }
}
