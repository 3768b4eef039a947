package dev.carillon.definition;

import dev.carillon.model.Payload;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** How much of a definition is written as JSON, and how. */
public enum JsonStyle {
  /** Everything, as REST clients read it: a duration of whole days counts days. */
  FULL,
  /** What is not at its default, as the database holds it: SQL adds its durations to instants. */
  COMPACT;

  /** Return {@code value} as JSON has it. */
  @Nullable Object json(@Nullable Object value) {
    if (value instanceof Duration duration) {
      return this == FULL ? inDays(duration) : duration.toString();
    }
    if (value instanceof Enum<?> constant) {
      return constant.name().toLowerCase(Locale.ROOT);
    }
    if (value instanceof Integer number) {
      return number.longValue();
    }
    if (value instanceof Double number) {
      return BigDecimal.valueOf(number);
    }
    if (value instanceof Payload payload) {
      return payload.content();
    }
    return value == null
            || value instanceof Long
            || value instanceof Boolean
            || value instanceof Iterable
            || value instanceof Map
        ? value
        : value.toString();
  }

  /** Return an ISO 8601 duration, with days where there are whole ones. */
  public static String inDays(Duration duration) {
    long days = duration.toDays();
    if (days <= 0) {
      return duration.toString();
    }
    Duration rest = duration.minusDays(days);
    return "P" + days + "D" + (rest.isZero() ? "" : rest.toString().substring(1));
  }
}
