package dev.carillon.template;

import dev.carillon.json.Json;
import dev.carillon.json.JsonException;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** Writes values that may be much longer than what they were made of, and gives up in time. */
final class BoundedJson {
  private BoundedJson() {}

  /** Write {@code value} in up to {@code most} bytes. */
  static String write(@Nullable Object value, int most) {
    var text = new StringBuilder();
    var left = new int[] {most};
    try {
      Json.write(
          value,
          piece -> {
            left[0] -= piece.getBytes(StandardCharsets.UTF_8).length;
            if (left[0] < 0) {
              throw TemplateException.tooLarge();
            }
            text.append(piece);
          });
    } catch (JsonException e) {
      throw new TemplateException(TemplateException.FAILED, String.valueOf(e.getMessage()));
    }
    return text.toString();
  }
}
