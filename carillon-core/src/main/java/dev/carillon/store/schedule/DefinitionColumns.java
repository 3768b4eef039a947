package dev.carillon.store.schedule;

import dev.carillon.definition.DefinitionFields;
import dev.carillon.model.Definition;
import dev.carillon.model.Payload;
import dev.carillon.store.jdbc.Row;

/** Reads definitions from their columns. */
public final class DefinitionColumns {
  private DefinitionColumns() {}

  /** Read a definition from its columns key, target, payload, definition and tags. */
  public static Definition read(Row row) {
    return DefinitionFields.restore(
        row.text("key"),
        row.text("target"),
        Payload.stored(row.text("payload")),
        row.text("definition"),
        row.texts("tags"));
  }
}
