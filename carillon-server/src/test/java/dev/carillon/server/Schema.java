package dev.carillon.server;

import com.fasterxml.jackson.databind.JsonNode;
import dev.carillon.time.PeriodDuration;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;

/** JSON Schema, as far as the OpenAPI document uses it; a keyword that is not known is an error. */
final class Schema {
  private static final Set<String> KEYWORDS =
      Set.of(
          "$ref",
          "type",
          "description",
          "properties",
          "required",
          "additionalProperties",
          "items",
          "enum",
          "anyOf",
          "minimum",
          "maximum",
          "minLength",
          "maxLength",
          "minItems",
          "maxItems",
          "format",
          "pattern");

  private final JsonNode document;

  Schema(JsonNode document) {
    this.document = document;
  }

  /** Return what is wrong with {@code value} as {@code schema} has it. */
  List<String> faults(JsonNode schema, JsonNode value) {
    var faults = new ArrayList<String>();
    check(schema, value, "", faults);
    return faults;
  }

  private void check(JsonNode schema, JsonNode value, String at, List<String> faults) {
    schema
        .fieldNames()
        .forEachRemaining(
            keyword -> {
              if (!KEYWORDS.contains(keyword)) {
                faults.add(at + ": the schema has an unknown keyword " + keyword);
              }
            });
    if (schema.has("$ref")) {
      JsonNode other = document.at(schema.get("$ref").asText().substring(1));
      if (other.isMissingNode()) {
        faults.add(at + ": no schema " + schema.get("$ref"));
        return;
      }
      check(other, value, at, faults);
    }
    if (schema.has("anyOf") && none(schema.get("anyOf"), value)) {
      faults.add(at + ": fits none of the alternatives: " + value);
    }
    if (schema.has("type") && !hasType(schema.get("type"), value)) {
      faults.add(at + ": is no " + schema.get("type") + ": " + value);
      return;
    }
    if (schema.has("enum") && !contains(schema.get("enum"), value)) {
      faults.add(at + ": is none of " + schema.get("enum") + ": " + value);
    }
    if (value.isObject()) {
      checkObject(schema, value, at, faults);
    } else if (value.isArray()) {
      checkArray(schema, value, at, faults);
    } else if (value.isTextual()) {
      checkText(schema, value.asText(), at, faults);
    } else if (value.isNumber()) {
      checkNumber(schema, value, at, faults);
    }
  }

  private boolean none(JsonNode alternatives, JsonNode value) {
    for (JsonNode alternative : alternatives) {
      if (faults(alternative, value).isEmpty()) {
        return false;
      }
    }
    return true;
  }

  private static boolean hasType(JsonNode type, JsonNode value) {
    if (type.isArray()) {
      for (JsonNode one : type) {
        if (hasType(one, value)) {
          return true;
        }
      }
      return false;
    }
    return switch (type.asText()) {
      case "object" -> value.isObject();
      case "array" -> value.isArray();
      case "string" -> value.isTextual();
      case "integer" -> value.isIntegralNumber();
      case "number" -> value.isNumber();
      case "boolean" -> value.isBoolean();
      default -> value.isNull();
    };
  }

  private static boolean contains(JsonNode words, JsonNode value) {
    for (JsonNode word : words) {
      if (word.equals(value)) {
        return true;
      }
    }
    return false;
  }

  private void checkObject(JsonNode schema, JsonNode value, String at, List<String> faults) {
    JsonNode properties = schema.path("properties");
    schema
        .path("required")
        .forEach(
            name -> {
              if (!value.has(name.asText())) {
                faults.add(at + ": lacks " + name);
              }
            });
    JsonNode others = schema.path("additionalProperties");
    for (Map.Entry<String, JsonNode> field : value.properties()) {
      String place = at + "/" + field.getKey();
      if (properties.has(field.getKey())) {
        check(properties.get(field.getKey()), field.getValue(), place, faults);
      } else if (others.isObject()) {
        check(others, field.getValue(), place, faults);
      } else if (others.isBoolean() && !others.asBoolean()) {
        faults.add(place + ": is not in the schema");
      }
    }
  }

  private void checkArray(JsonNode schema, JsonNode value, String at, List<String> faults) {
    if (value.size() < schema.path("minItems").asInt(0)
        || value.size() > schema.path("maxItems").asInt(Integer.MAX_VALUE)) {
      faults.add(at + ": has " + value.size() + " items");
    }
    for (int i = 0; i < value.size(); i++) {
      check(schema.path("items"), value.get(i), at + "/" + i, faults);
    }
  }

  private static void checkText(JsonNode schema, String text, String at, List<String> faults) {
    if (text.length() < schema.path("minLength").asInt(0)
        || text.length() > schema.path("maxLength").asInt(Integer.MAX_VALUE)) {
      faults.add(at + ": has " + text.length() + " characters");
    }
    if (schema.has("pattern") && !text.matches(schema.get("pattern").asText())) {
      faults.add(at + ": does not match " + schema.get("pattern"));
    }
    try {
      switch (schema.path("format").asText("")) {
        case "date-time" -> OffsetDateTime.parse(text);
        case "duration" -> PeriodDuration.parse(text);
        case "uuid" -> UUID.fromString(text);
        default -> {}
      }
    } catch (RuntimeException e) {
      faults.add(at + ": is no " + schema.get("format") + ": " + text);
    }
  }

  private static void checkNumber(JsonNode schema, JsonNode value, String at, List<String> faults) {
    if ((schema.has("minimum") && value.asDouble() < schema.get("minimum").asDouble())
        || (schema.has("maximum") && value.asDouble() > schema.get("maximum").asDouble())) {
      faults.add(at + ": is out of range: " + value);
    }
  }
}
