package dev.carillon.json;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Writes a value, as one text or piece by piece. */
final class JsonWriter {
  /* What was read may be written as a part of something larger. */
  private static final int DEEPEST = 2 * Json.DEEPEST;

  private final StringBuilder out = new StringBuilder();
  private final int pieceLength;
  private final Consumer<String> pieces;

  private JsonWriter(int pieceLength, Consumer<String> pieces) {
    this.pieceLength = pieceLength;
    this.pieces = pieces;
  }

  static String text(@Nullable Object value) {
    var writer = new JsonWriter(Integer.MAX_VALUE, piece -> {});
    writer.write(value, 0);
    return writer.out.toString();
  }

  /**
   * Pass {@code value} to {@code pieces}, each cut after a value of at least so many characters.
   */
  static void pieces(@Nullable Object value, int pieceLength, Consumer<String> pieces) {
    var writer = new JsonWriter(pieceLength, pieces);
    writer.write(value, 0);
    pieces.accept(writer.out.toString());
  }

  private void write(@Nullable Object value, int depth) {
    if (depth > DEEPEST) {
      throw new JsonException("JSON may be nested " + DEEPEST + " deep");
    }
    if (value instanceof String text) {
      quote(text);
    } else if (value instanceof Map<?, ?> map) {
      writeMap(map, depth);
    } else if (value instanceof List<?> list) {
      String separator = "[";
      for (Object item : list) {
        out.append(separator);
        write(item, depth + 1);
        separator = ",";
      }
      out.append(list.isEmpty() ? "[]" : "]");
    } else if (value instanceof RawJson raw) {
      out.append(PrintableText.json(raw.text()));
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
    if (out.length() >= pieceLength) {
      pieces.accept(out.toString());
      out.setLength(0);
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

  private void writeMap(Map<?, ?> map, int depth) {
    String separator = "{";
    for (Map.Entry<?, ?> entry : map.entrySet()) {
      if (!(entry.getKey() instanceof String key)) {
        throw new JsonException("the names in JSON are text; was " + entry.getKey());
      }
      out.append(separator);
      quote(key);
      out.append(':');
      write(entry.getValue(), depth + 1);
      separator = ",";
    }
    out.append(map.isEmpty() ? "{}" : "}");
  }

  static boolean isHalfOfPair(int point) {
    return point >= Character.MIN_SURROGATE && point <= Character.MAX_SURROGATE;
  }

  private void quote(String text) {
    out.append('"');
    int at = 0;
    while (at < text.length()) {
      int point = text.codePointAt(at);
      if (point == '"' || point == '\\') {
        out.append('\\').append((char) point);
      } else if (isHalfOfPair(point)) {
        out.append('\uFFFD'); // no reader of JSON, PostgreSQL included, has to take it
      } else if (PrintableText.isPrintable(point)) {
        out.appendCodePoint(point);
      } else {
        PrintableText.escape(point, out);
      }
      at += Character.charCount(point);
    }
    out.append('"');
  }
}
