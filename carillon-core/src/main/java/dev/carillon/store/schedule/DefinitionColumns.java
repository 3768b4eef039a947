package dev.carillon.store.schedule;

import dev.carillon.definition.DefinitionFields;
import dev.carillon.model.Definition;
import dev.carillon.model.Payload;
import dev.carillon.store.jdbc.Row;

/** Reads definitions from their columns. */
public final class DefinitionColumns {
  private DefinitionColumns() {}

  /** Read the payload, which lists may leave out. */
  static Payload payload(Row row) {
    return row.optionalJson("payload").map(Payload::stored).orElse(Payload.EMPTY);
  }

  /** Read a definition from its columns key, target, payload, definition and tags. */
  public static Definition read(Row row) {
    return DefinitionFields.restore(
        row.text("key"),
        row.text("target"),
        payload(row),
        row.text("definition"),
        row.texts("tags"));
  }
}
