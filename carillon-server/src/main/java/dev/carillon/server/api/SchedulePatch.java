package dev.carillon.server.api;

import dev.carillon.definition.CalendarTimingJson;
import dev.carillon.definition.DefinitionFields;
import dev.carillon.model.Definition;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A JSON merge patch of a schedule. Where a patch names another kind of timing, or another overlap
 * rule, what belonged to the old one goes without being set to null. A greatest age of null is no
 * bound, rather than the usual one.
 */
final class SchedulePatch {
  private SchedulePatch() {}

  /** Return the fields of {@code definition} as {@code patch} changes them. */
  static Map<String, @Nullable Object> merged(
      Definition definition, Map<String, @Nullable Object> patch) {
    Map<String, @Nullable Object> fields = DefinitionFields.show(definition);
    if (patch.containsKey("overlap") && !patch.containsKey("queueLimit")) {
      fields.remove("queueLimit");
    }
    if (patch.get("timing") instanceof Map<?, ?> timing
        && TimingForm.KINDS.stream().anyMatch(kind -> timing.get(kind) != null)
        && !sameKind(fields.get("timing"), timing)) {
      fields.remove("timing");
    }
    Map<String, @Nullable Object> merged = applied(fields, patch);
    if (patch.get("catchUp") instanceof Map<?, ?> catchUp
        && catchUp.containsKey("maxAge")
        && catchUp.get("maxAge") == null) {
      merged.put("catchUp", ofAnyAge(merged.get("catchUp")));
    }
    return merged;
  }

  private static Map<String, @Nullable Object> ofAnyAge(@Nullable Object catchUp) {
    var fields = new LinkedHashMap<String, @Nullable Object>();
    if (catchUp instanceof Map<?, ?> map) {
      map.forEach((name, value) -> fields.put(String.valueOf(name), value));
    }
    fields.put("maxAge", null);
    return fields;
  }

  private static boolean sameKind(@Nullable Object before, Map<?, ?> after) {
    return before instanceof Map<?, ?> timing
        && TimingForm.KINDS.stream()
            .filter(kind -> after.get(kind) != null)
            .allMatch(kind -> timing.containsKey(kind) && isEdge(timing) == isEdge(after));
  }

  private static boolean isEdge(Map<?, ?> timing) {
    return timing.get("at") instanceof String at && CalendarTimingJson.isEdge(at);
  }

  /* As RFC 7396 merges: null takes a field away. */
  private static Map<String, @Nullable Object> applied(Map<?, ?> target, Map<?, ?> patch) {
    var merged = new LinkedHashMap<String, @Nullable Object>();
    target.forEach((name, value) -> merged.put(String.valueOf(name), value));
    patch.forEach(
        (key, value) -> {
          String name = String.valueOf(key);
          if (value == null) {
            merged.remove(name);
          } else if (value instanceof Map<?, ?> inner) {
            merged.put(
                name, applied(merged.get(name) instanceof Map<?, ?> old ? old : Map.of(), inner));
          } else {
            merged.put(name, value);
          }
        });
    return merged;
  }
}
