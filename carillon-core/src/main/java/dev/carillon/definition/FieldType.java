package dev.carillon.definition;

import dev.carillon.model.Payload;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What a field holds: how that is read and written as JSON, and what its JSON schema says.
 *
 * @param kind of what it holds
 * @param schema the JSON schema of a value that is not null
 */
public record FieldType<T>(
    Kind kind, Reader<T> reader, Writer<T> writer, Map<String, Object> schema) {
  /** The kinds of values. */
  public enum Kind {
    TEXT,
    DURATION,
    WHOLE_NUMBER,
    FLAG,
    LIST,
    OBJECT
  }

  /** Reads the field called {@code name}, if it is there. */
  public interface Reader<T> {
    Optional<T> read(FieldSource source, String name);
  }

  /** Writes a value as JSON. */
  public interface Writer<T> {
    @Nullable Object write(T value, JsonStyle style);
  }

  private FieldType(Kind kind, Reader<T> reader, Map<String, Object> schema) {
    this(kind, reader, (value, style) -> style.json(value), schema);
  }

  static FieldType<String> text(int least, int most) {
    var schema = new LinkedHashMap<String, Object>(Map.of("type", "string"));
    if (least > 0) {
      schema.put("minLength", least);
    }
    schema.put("maxLength", most);
    return new FieldType<>(Kind.TEXT, FieldSource::text, schema);
  }

  static FieldType<Duration> duration() {
    return new FieldType<>(
        Kind.DURATION, FieldSource::duration, Map.of("type", "string", "format", "duration"));
  }

  static FieldType<Long> whole(long least, long most) {
    var schema = new LinkedHashMap<String, Object>(Map.of("type", "integer", "minimum", least));
    if (most < Long.MAX_VALUE) {
      schema.put("maximum", most);
    }
    return new FieldType<>(
        Kind.WHOLE_NUMBER, (source, name) -> source.whole(name, least, most), schema);
  }

  static FieldType<Boolean> flag() {
    return new FieldType<>(Kind.FLAG, FieldSource::flag, Map.of("type", "boolean"));
  }

  static <E extends Enum<E>> FieldType<E> word(Class<E> type) {
    List<Object> words =
        Arrays.stream(type.getEnumConstants())
            .<Object>map(constant -> String.valueOf(JsonStyle.FULL.json(constant)))
            .toList();
    return new FieldType<>(
        Kind.TEXT,
        (source, name) -> source.word(name, type),
        Map.of("type", "string", "enum", words));
  }

  static FieldType<List<String>> texts(int most, int longest) {
    Map<String, Object> item = Map.of("type", "string", "minLength", 1, "maxLength", longest);
    return new FieldType<>(
        Kind.LIST,
        (source, name) -> source.texts(name, most),
        Map.of("type", "array", "items", item, "maxItems", most));
  }

  static FieldType<Payload> payload() {
    return new FieldType<>(Kind.OBJECT, FieldSource::payload, Map.of("type", "object"));
  }

  /** Describe an object whose JSON schema is called {@code schema}. */
  static <T> FieldType<T> object(String schema, Reader<T> reader, Writer<T> writer) {
    return new FieldType<>(
        Kind.OBJECT, reader, writer, Map.of("$ref", "#/components/schemas/" + schema));
  }

  /** Return the JSON schema of a value that may be null. */
  Map<String, Object> nullableSchema() {
    if (schema.containsKey("$ref")) {
      return Map.of("anyOf", List.of(schema, Map.of("type", "null")));
    }
    var nullable = new LinkedHashMap<>(schema);
    nullable.computeIfPresent("type", (name, type) -> List.of(type, "null"));
    nullable.computeIfPresent("enum", (name, words) -> andNull((List<?>) words));
    return nullable;
  }

  private static List<@Nullable Object> andNull(List<?> words) {
    var all = new ArrayList<@Nullable Object>(words);
    all.add(null);
    return all;
  }
}
