package dev.carillon.server.api;

import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** JSON merge patches as RFC 7396 has them. */
final class MergePatch {
  private MergePatch() {}

  /** Return {@code target} with what {@code patch} says; null takes a field away. */
  static Map<String, @Nullable Object> merged(Map<?, ?> target, Map<?, ?> patch) {
    var merged = new LinkedHashMap<String, @Nullable Object>();
    target.forEach((name, value) -> merged.put(String.valueOf(name), value));
    patch.forEach(
        (key, value) -> {
          String name = String.valueOf(key);
          if (value == null) {
            merged.remove(name);
          } else if (value instanceof Map<?, ?> inner) {
            merged.put(
                name, merged(merged.get(name) instanceof Map<?, ?> old ? old : Map.of(), inner));
          } else {
            merged.put(name, value);
          }
        });
    return merged;
  }
}
