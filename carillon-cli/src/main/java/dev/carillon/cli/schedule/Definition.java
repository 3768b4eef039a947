package dev.carillon.cli.schedule;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.carillon.cli.console.HumanText;
import dev.carillon.cli.console.Json;
import dev.carillon.definition.DefinitionField;
import dev.carillon.definition.DefinitionFields;
import java.util.List;
import java.util.stream.Stream;

/** The part of a schedule that its author writes, without its state. */
public final class Definition {
  private static final List<String> FIELDS =
      Stream.concat(Stream.of("key"), DefinitionFields.ALL.stream().map(DefinitionField::name))
          .toList();

  private Definition() {}

  /** Return the definition in {@code schedule}, without what is not set. */
  public static ObjectNode of(JsonNode schedule) {
    ObjectNode definition = Json.object();
    for (String field : FIELDS) {
      JsonNode value = schedule.path(field);
      if (!HumanText.isNothing(value)) {
        definition.set(field, value);
      }
    }
    return definition;
  }
}
