package dev.carillon.store.schedule;

import dev.carillon.model.Definition;
import dev.carillon.store.jdbc.Row;
import dev.carillon.time.Once;
import dev.carillon.time.Timing;
import java.time.Instant;

/**
 * Replaces a definition that this version cannot read, such as one with an unknown time zone: it
 * never fires and its description says why, so the schedule can be listed, saved and retired.
 */
final class UnreadableDefinition {
  /* No draft can have it: its time is past. */
  private static final Timing NEVER = new Once(Instant.EPOCH);

  private UnreadableDefinition() {}

  static Definition orRead(Row row) {
    try {
      return DefinitionColumns.read(row);
    } catch (IllegalArgumentException | IllegalStateException | ClassCastException e) {
      var definition = new Definition.Builder(row.text("target"), NEVER);
      definition.payload = DefinitionColumns.payload(row);
      definition.description = "cannot be read: " + e.getMessage();
      definition.tags = row.texts("tags");
      return definition.build();
    }
  }

  static boolean is(Definition definition) {
    return definition.timing().equals(NEVER);
  }
}
