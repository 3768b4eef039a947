package dev.carillon.template;

import dev.carillon.json.Json;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A JSON value whose texts are templates about a run. A text that is nothing but one placeholder
 * becomes its value with its JSON type. Names of fields are taken as they are.
 */
public final class JsonTemplate {
  private final @Nullable Object root;

  /* Texts with placeholders are templates by now; everything else is what it was. */
  private JsonTemplate(@Nullable Object root) {
    this.root = root;
  }

  /**
   * Parse all texts of {@code json}.
   *
   * @throws TemplateSyntaxException for the first that is no template, with its place
   */
  public static JsonTemplate parse(@Nullable Object json) {
    return new JsonTemplate(parsed(json, "", 0));
  }

  private static @Nullable Object parsed(@Nullable Object value, String pointer, int depth) {
    if (depth > Json.DEEPEST) {
      throw new TemplateSyntaxException(1, "JSON may be nested " + Json.DEEPEST + " deep")
          .at(pointer);
    }
    if (value instanceof String text) {
      return Template.isTemplate(text) ? parsed(text, pointer) : text;
    }
    if (value instanceof Map<?, ?> map) {
      var object = new LinkedHashMap<String, @Nullable Object>();
      map.forEach(
          (name, item) ->
              object.put(
                  String.valueOf(name),
                  parsed(item, pointer + JsonPointers.step(String.valueOf(name)), depth + 1)));
      return object;
    }
    if (value instanceof List<?> list) {
      var items = new ArrayList<@Nullable Object>();
      for (Object item : list) {
        items.add(parsed(item, pointer + JsonPointers.step(items.size()), depth + 1));
      }
      return items;
    }
    return value;
  }

  static Template parsed(String text, String pointer) {
    try {
      return Template.parse(text);
    } catch (TemplateSyntaxException e) {
      throw e.at(pointer);
    }
  }

  /**
   * Return the JSON with {@code values} and values of {@code payload} filled in, of up to {@code
   * most} bytes.
   *
   * @throws TemplateException if the payload lacks a value, or the JSON would be longer
   */
  public String expand(TemplateValues values, Map<String, ?> payload, int most) {
    return BoundedJson.write(new Expansion(values, payload, most).of(root), most);
  }

  /* Counts the texts that are made, as each may be as long as the whole JSON. */
  private static final class Expansion {
    private final TemplateValues values;
    private final Map<String, ?> payload;
    private int room;

    Expansion(TemplateValues values, Map<String, ?> payload, int room) {
      this.values = values;
      this.payload = payload;
      this.room = room;
    }

    @Nullable Object of(@Nullable Object node) {
      if (node instanceof Template template) {
        return value(template);
      }
      if (node instanceof Map<?, ?> map) {
        var object = new LinkedHashMap<Object, @Nullable Object>();
        map.forEach((name, item) -> object.put(name, of(item)));
        return object;
      }
      if (node instanceof List<?> list) {
        var items = new ArrayList<@Nullable Object>(list.size());
        list.forEach(item -> items.add(of(item)));
        return items;
      }
      return node;
    }

    private @Nullable Object value(Template template) {
      if (template.only().isPresent()) {
        return template.only().get().value(values, path -> Template.found(path, payload));
      }
      String text = template.expand(values, payload, room);
      room -= text.length();
      return text;
    }
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof JsonTemplate template && Objects.equals(root, template.root);
  }

  @Override
  public int hashCode() {
    return Objects.hashCode(root);
  }
}
