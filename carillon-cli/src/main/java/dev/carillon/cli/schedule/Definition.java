package dev.carillon.cli.schedule;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.carillon.cli.console.Json;
import java.util.List;

/** The part of a schedule that somebody wrote, apart from what has become of it. */
final class Definition {
  private static final List<String> FIELDS =
      List.of(
          "key",
          "target",
          "payload",
          "timing",
          "window",
          "jitter",
          "jitterMode",
          "calendar",
          "quietHours",
          "overlap",
          "queueLimit",
          "catchUp",
          "retry",
          "recovery",
          "timeout",
          "deadline",
          "pauseAfterFailures",
          "maxRuns",
          "description",
          "tags");

  private Definition() {}

  /** Return the definition in {@code schedule}, without what is not set. */
  static ObjectNode of(JsonNode schedule) {
    ObjectNode definition = Json.object();
    for (String field : FIELDS) {
      JsonNode value = schedule.path(field);
      boolean nothing =
          value.isMissingNode()
              || value.isNull()
              || (value.isContainerNode() && value.isEmpty())
              || (value.isTextual() && value.asText().isEmpty());
      if (!nothing) {
        definition.set(field, value);
      }
    }
    return definition;
  }
}
