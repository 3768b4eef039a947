package dev.carillon.server.api;

import dev.carillon.definition.DefinitionField;
import dev.carillon.definition.DefinitionFields;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Completes the schemas of schedules, of which the files leave out the fields of a definition. */
final class DefinitionSchemas {
  private static final List<String> GIVEN = List.of("NewSchedule", "ScheduleDefinition");
  private static final List<String> SHOWN = List.of("Schedule", "ScheduleVersion");
  private static final String PATCH = "SchedulePatch";

  private DefinitionSchemas() {}

  /** Add the fields of a definition to those of {@code schemas} that have them. */
  static void complete(Map<String, @Nullable Object> schemas) {
    for (DefinitionField<?> field : DefinitionFields.ALL) {
      GIVEN.forEach(
          name -> properties(schemas, name).put(field.name(), DefinitionFields.schema(field)));
      SHOWN.forEach(
          name -> properties(schemas, name).put(field.name(), DefinitionFields.schema(field)));
      // Lists show the payload only if it is asked for.
      if (DefinitionFields.isAlwaysShown(field)
          && !field.name().equals(DefinitionFields.PAYLOAD.name())) {
        SHOWN.forEach(name -> required(schemas, name).add(field.name()));
      }
      properties(schemas, PATCH)
          .put(field.name(), Map.of("description", "As in ScheduleDefinition."));
    }
  }

  @SuppressWarnings("unchecked") // so it is in the file
  private static Map<String, Object> properties(
      Map<String, @Nullable Object> schemas, String name) {
    return (Map<String, Object>) part(schemas, name, "properties");
  }

  @SuppressWarnings("unchecked") // so it is in the file
  private static List<Object> required(Map<String, @Nullable Object> schemas, String name) {
    return (List<Object>) part(schemas, name, "required");
  }

  private static Object part(Map<String, @Nullable Object> schemas, String name, String part) {
    return Objects.requireNonNull(
        ((Map<?, ?>) Objects.requireNonNull(schemas.get(name))).get(part));
  }
}
