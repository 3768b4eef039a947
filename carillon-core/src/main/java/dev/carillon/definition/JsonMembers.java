package dev.carillon.definition;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The members of a JSON object that is being written; {@link JsonStyle} says which and how. */
final class JsonMembers {
  private final Map<String, @Nullable Object> json = new LinkedHashMap<>();
  private final JsonStyle style;

  JsonMembers(JsonStyle style) {
    this.style = style;
  }

  /** Add what is always written. */
  JsonMembers add(String name, Object value) {
    json.put(name, style.json(value));
    return this;
  }

  /** Add what goes without saying if it is {@code usual}. */
  JsonMembers add(String name, @Nullable Object value, @Nullable Object usual) {
    if (style == JsonStyle.FULL || !Objects.equals(value, usual)) {
      json.put(name, style.json(value));
    }
    return this;
  }

  Map<String, @Nullable Object> json() {
    return json;
  }
}
