package dev.carillon.json;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * JSON text and its values: maps, lists, strings, numbers, booleans and null.
 *
 * <p>Numbers are read as {@link Long}, or as {@link BigDecimal} where a long does not hold them.
 */
public final class Json {
  /** The deepest nesting read. */
  public static final int DEEPEST = 50;

  /* What was read may be written as a part of something larger. */
  private static final int DEEPEST_WRITTEN = 2 * DEEPEST;

  private Json() {}

  /** Read a text; the message of the refusal says where it stops being JSON. */
  public static @Nullable Object read(String text) {
    return new JsonReader(text).read();
  }

  /** Read a text that must be an object. */
  @SuppressWarnings("unchecked") // the reader makes maps with string keys only
  public static Map<String, @Nullable Object> readObject(String text) {
    if (read(text) instanceof Map<?, ?> map) {
      return (Map<String, @Nullable Object>) map;
    }
    throw new JsonException("expected a JSON object, such as {\"name\": 1}");
  }

  /** Tell whether PostgreSQL can hold {@code text}: it has no NUL and no half surrogate pair. */
  public static boolean isStorable(String text) {
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c == 0 || (Character.isSurrogate(c) && text.codePointAt(i++) == c)) {
        return false;
      }
    }
    return true;
  }

  /** Write a value. */
  public static String write(@Nullable Object value) {
    var out = new StringBuilder();
    write(value, out, 0);
    return out.toString();
  }

  private static void write(@Nullable Object value, StringBuilder out, int depth) {
    if (depth > DEEPEST_WRITTEN) {
      throw new JsonException("JSON may be nested " + DEEPEST_WRITTEN + " deep");
    }
    if (value instanceof String text) {
      quote(text, out);
    } else if (value instanceof Map<?, ?> map) {
      writeMap(map, out, depth);
    } else if (value instanceof List<?> list) {
      String separator = "[";
      for (Object item : list) {
        out.append(separator);
        write(item, out, depth + 1);
        separator = ",";
      }
      out.append(list.isEmpty() ? "[]" : "]");
    } else if (value instanceof RawJson raw) {
      out.append(raw.text());
    } else if (value instanceof Double || value instanceof Float) {
      double number = ((Number) value).doubleValue();
      if (!Double.isFinite(number)) {
        throw new JsonException("JSON has no number " + number);
      }
      out.append(new BigDecimal(value.toString()));
    } else if (value == null || value instanceof Boolean || isNumber(value)) {
      out.append(value);
    } else {
      throw new JsonException(
          "a %s is no JSON value; use text, numbers, booleans, lists and maps"
              .formatted(value.getClass().getName()));
    }
  }

  private static boolean isNumber(Object value) {
    return value instanceof Integer
        || value instanceof Long
        || value instanceof Short
        || value instanceof Byte
        || value instanceof BigDecimal
        || value instanceof BigInteger;
  }

  private static void writeMap(Map<?, ?> map, StringBuilder out, int depth) {
    String separator = "{";
    for (Map.Entry<?, ?> entry : map.entrySet()) {
      if (!(entry.getKey() instanceof String key)) {
        throw new JsonException("the names in JSON are text; was " + entry.getKey());
      }
      out.append(separator);
      quote(key, out);
      out.append(':');
      write(entry.getValue(), out, depth + 1);
      separator = ",";
    }
    out.append(map.isEmpty() ? "{}" : "}");
  }

  private static void quote(String text, StringBuilder out) {
    out.append('"');
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      switch (c) {
        case '"' -> out.append("\\\"");
        case '\\' -> out.append("\\\\");
        case '\n' -> out.append("\\n");
        case '\r' -> out.append("\\r");
        case '\t' -> out.append("\\t");
        default -> {
          if (c < 0x20) {
            out.append("\\u00").append(c < 0x10 ? "0" : "").append(Integer.toHexString(c));
          } else {
            out.append(c);
          }
        }
      }
    }
    out.append('"');
  }
}
