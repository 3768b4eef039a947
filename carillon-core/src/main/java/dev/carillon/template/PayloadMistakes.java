package dev.carillon.template;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Finds what else is wrong with a payload of which one text is no template. */
final class PayloadMistakes {
  private static final int MAX = 20;

  private PayloadMistakes() {}

  /** Return the mistakes after {@code first}, each of another text. */
  static List<TemplateSyntaxException> after(
      TemplateSyntaxException first, Map<String, @Nullable Object> content) {
    var found = new ArrayList<TemplateSyntaxException>();
    Map<String, @Nullable Object> left = content;
    TemplateSyntaxException last = first;
    while (found.size() < MAX) {
      left = without(left, "", last.pointer());
      try {
        PayloadTemplate.check(left);
        return found;
      } catch (TemplateSyntaxException e) {
        if (e.pointer().equals(last.pointer())) {
          return found;
        }
        found.add(e);
        last = e;
      }
    }
    return found;
  }

  private static Map<String, @Nullable Object> without(Map<?, ?> map, String at, String pointer) {
    var object = new LinkedHashMap<String, @Nullable Object>();
    map.forEach(
        (name, item) ->
            object.put(
                String.valueOf(name),
                blanked(item, at + JsonPointers.step(String.valueOf(name)), pointer)));
    return object;
  }

  private static @Nullable Object blanked(@Nullable Object value, String at, String pointer) {
    if (value instanceof Map<?, ?> map) {
      return without(map, at, pointer);
    }
    if (value instanceof List<?> list) {
      var items = new ArrayList<@Nullable Object>(list.size());
      list.forEach(item -> items.add(blanked(item, at + JsonPointers.step(items.size()), pointer)));
      return items;
    }
    return at.equals(pointer) ? "" : value;
  }
}
