package dev.carillon.store.schedule;

import dev.carillon.model.Definition;
import dev.carillon.model.Payload;
import dev.carillon.store.jdbc.Row;
import dev.carillon.time.Once;
import dev.carillon.time.Timing;
import java.time.Instant;

/**
 * Stands in for a definition that this version cannot read, such as one in a zone that its Java
 * does not know: it never fires and says why, so that the schedule can be listed, saved anew and
 * retired.
 */
final class UnreadableDefinition {
  /* No draft has it: its time has always passed. */
  private static final Timing NEVER = new Once(Instant.EPOCH);

  private UnreadableDefinition() {}

  /** Read the definition of a row, or return what stands in for it. */
  static Definition orRead(Row row) {
    try {
      return DefinitionColumns.read(row);
    } catch (IllegalArgumentException | IllegalStateException | ClassCastException e) {
      var definition = new Definition.Builder(row.text("target"), NEVER);
      definition.payload = Payload.stored(row.text("payload"));
      definition.description = "cannot be read: " + e.getMessage();
      definition.tags = row.texts("tags");
      return definition.build();
    }
  }

  /** Tell whether {@code definition} stands in for one that cannot be read. */
  static boolean is(Definition definition) {
    return definition.timing().equals(NEVER);
  }
}
