package dev.carillon.cli.schedule;

import com.fasterxml.jackson.databind.JsonNode;
import dev.carillon.cli.schedule.Change.Field;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;

/**
 * Finds where two definitions differ, as deep down as the wanted one goes: what it leaves out has
 * the server's defaults, which are no difference.
 */
final class Difference {
  private Difference() {}

  /**
   * Return the differences below those {@code fields} of which the server said that they differ.
   */
  static List<Field> between(JsonNode before, JsonNode after, Collection<String> fields) {
    var found = new ArrayList<Field>();
    for (String field : fields) {
      var below = new ArrayList<Field>();
      compare("/" + field, before.path(field), after.path(field), below);
      found.addAll(
          below.isEmpty()
              ? List.of(new Field("/" + field, before.path(field), after.path(field)))
              : below);
    }
    return List.copyOf(found);
  }

  private static void compare(String pointer, JsonNode before, JsonNode after, List<Field> found) {
    if (before.isObject() && after.isObject()) {
      for (Map.Entry<String, JsonNode> field : after.properties()) {
        String name = field.getKey();
        compare(pointer + "/" + name, before.path(name), field.getValue(), found);
      }
    } else if (!after.isMissingNode() && !same(before, after)) {
      found.add(new Field(pointer, before, after));
    }
  }

  /* 2 and 2.0 are the same number, though not the same text. */
  private static boolean same(JsonNode before, JsonNode after) {
    return (before.isNumber() && after.isNumber())
        ? before.decimalValue().compareTo(after.decimalValue()) == 0
        : before.equals(after);
  }
}
