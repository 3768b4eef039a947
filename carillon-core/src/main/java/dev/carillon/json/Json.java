package dev.carillon.json;

import java.math.BigDecimal;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * JSON text and its values: maps, lists, strings, numbers, booleans and null.
 *
 * <p>Numbers are read as {@link Long}, or as {@link BigDecimal} where a long does not hold them.
 */
public final class Json {
  /** The deepest nesting read. */
  public static final int DEEPEST = 50;

  private static final int PIECE_LENGTH = 8 * 1024;

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
    return JsonWriter.text(value);
  }

  /**
   * Write a value piece by piece. A piece ends with a value, so it has about {@value #PIECE_LENGTH}
   * characters, or those of one long text more.
   */
  public static void write(@Nullable Object value, Consumer<String> pieces) {
    JsonWriter.pieces(value, PIECE_LENGTH, pieces);
  }
}
