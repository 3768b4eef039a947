package dev.carillon.cli.schedule;

import com.fasterxml.jackson.databind.JsonNode;
import dev.carillon.cli.schedule.Change.Field;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;

/** Finds where two values differ, as deep down as both are objects. */
final class Difference {
  private Difference() {}

  /** Return the differences between {@code before} and {@code after}, found at {@code pointer}. */
  static List<Field> between(String pointer, JsonNode before, JsonNode after) {
    if (same(before, after)) {
      return List.of();
    }
    if (!before.isObject() || !after.isObject()) {
      return List.of(new Field(pointer, before, after));
    }
    var names = new LinkedHashSet<String>();
    before.fieldNames().forEachRemaining(names::add);
    after.fieldNames().forEachRemaining(names::add);
    var found = new ArrayList<Field>();
    for (String name : names) {
      found.addAll(between(pointer + "/" + name, before.path(name), after.path(name)));
    }
    return found;
  }

  /* 2 and 2.0 are the same number, though not the same text; what is null is not set. */
  private static boolean same(JsonNode before, JsonNode after) {
    if (before.isNumber() && after.isNumber()) {
      return before.decimalValue().compareTo(after.decimalValue()) == 0;
    }
    return before.equals(after) || (isNothing(before) && isNothing(after));
  }

  private static boolean isNothing(JsonNode value) {
    return value.isMissingNode() || value.isNull();
  }
}
