package dev.carillon.cli.schedule;

import com.fasterxml.jackson.databind.JsonNode;
import dev.carillon.cli.console.Json;
import dev.carillon.cli.schedule.Change.Field;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;

/**
 * Finds where two values differ, as deep down as both are objects. A timing of another kind is
 * another timing as a whole.
 */
final class Difference {
  private static final List<String> KINDS =
      List.of("cron", "every", "at", "in", "businessDay", "businessDaysAfter");

  private Difference() {}

  /** Return the differences that {@code changes}, each with field, from and to, tell of. */
  static List<Field> of(JsonNode changes) {
    var found = new ArrayList<Field>();
    for (JsonNode change : changes) {
      String pointer = "/" + Json.text(change, "/field");
      JsonNode before = change.path("from");
      JsonNode after = change.path("to");
      List<Field> below = between(pointer, before, after);
      found.addAll(below.isEmpty() ? List.of(new Field(pointer, before, after)) : below);
    }
    return List.copyOf(found);
  }

  /** Return the differences between {@code before} and {@code after}, found at {@code pointer}. */
  static List<Field> between(String pointer, JsonNode before, JsonNode after) {
    if (same(before, after)) {
      return List.of();
    }
    boolean deep = before.isObject() && after.isObject();
    if (!deep || (pointer.equals("/timing") && !kind(before).equals(kind(after)))) {
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

  private static List<String> kind(JsonNode timing) {
    return KINDS.stream().filter(timing::has).toList();
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
