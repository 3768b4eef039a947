package dev.carillon.store;

import dev.carillon.definition.DefinitionFields;
import dev.carillon.model.Definition;
import dev.carillon.model.Payload;

/** Reads definitions from their columns. */
final class DefinitionJson {
  private DefinitionJson() {}

  /** Read a definition from its columns key, target, payload, definition and tags. */
  static Definition read(Row row) {
    return DefinitionFields.restore(
        row.text("key"),
        row.text("target"),
        Payload.stored(row.text("payload")),
        row.text("definition"),
        row.texts("tags"));
  }
}
