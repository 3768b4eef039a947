package dev.carillon.model;

import dev.carillon.json.Json;
import dev.carillon.json.JsonException;
import dev.carillon.time.InvalidValueException;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What a run is given to work on: a JSON object, kept with every run as it was when it was planned.
 */
public final class Payload {
  /** The longest payload accepted, in bytes of its JSON. */
  public static final int MAX_SIZE = 256 * 1024;

  private static final int MAX_NUMBER = 100;

  /** The payload without content. */
  public static final Payload EMPTY = new Payload("{}");

  private final String json;

  private Payload(String json) {
    this.json = json;
  }

  /** Make a payload of text, numbers, booleans, lists and maps by name. */
  public static Payload of(Map<String, ?> content) {
    try {
      refuseUnstorable(content);
      Payload payload = bounded(Json.write(content));
      Json.read(payload.json); // refuses what can be written but not read, such as long numbers
      return payload;
    } catch (JsonException e) {
      throw new InvalidValueException(String.valueOf(e.getMessage()), e);
    }
  }

  /* As PostgreSQL writes it, which knows no exponents. */
  private static long plainLength(BigDecimal number) {
    long scale = number.scale();
    return scale <= 0 ? number.precision() - scale : Math.max(number.precision(), scale) + 2;
  }

  private static void refuseUnstorable(@Nullable Object value) {
    if (value instanceof String text && !Json.isStorable(text)) {
      throw new InvalidValueException("text must not hold \\u0000 or half of a surrogate pair");
    } else if (value instanceof BigDecimal number && plainLength(number) > MAX_NUMBER) {
      throw new InvalidValueException(
          "a number may have %s characters, written without an exponent".formatted(MAX_NUMBER));
    } else if (value instanceof Map<?, ?> map) {
      map.forEach(
          (name, item) -> {
            refuseUnstorable(name);
            refuseUnstorable(item);
          });
    } else if (value instanceof List<?> list) {
      list.forEach(Payload::refuseUnstorable);
    }
  }

  /** Make a payload of one named value. */
  public static Payload of(String name, Object value) {
    return of(Map.of(name, value));
  }

  /** Read a JSON object. */
  public static Payload json(String json) {
    try {
      return of(Json.readObject(json));
    } catch (JsonException e) {
      throw new InvalidValueException(String.valueOf(e.getMessage()), e);
    }
  }

  /** Take JSON that the database returned, which is known to be good. */
  public static Payload stored(String json) {
    return json.equals("{}") ? EMPTY : new Payload(json);
  }

  /** Return the JSON. */
  public String json() {
    return json;
  }

  /** Return the content: text, {@link Long} or BigDecimal, booleans, lists and maps. */
  public Map<String, @Nullable Object> content() {
    return Json.readObject(json);
  }

  /** Return the value called {@code name} as text; empty if there is none, or null. */
  public Optional<String> text(String name) {
    return Optional.ofNullable(content().get(name)).map(Object::toString);
  }

  /** Return the value called {@code name} as a whole number; empty if there is none. */
  public Optional<Long> number(String name) {
    return Optional.ofNullable(content().get(name) instanceof Long number ? number : null);
  }

  /**
   * Tell whether this has everything that {@code other} has, as PostgreSQL's {@code @>} does:
   * objects may have more names, lists more items, in whatever order.
   */
  public boolean contains(Payload other) {
    return other.json.equals("{}") || contains(content(), other.content());
  }

  private static boolean contains(@Nullable Object whole, @Nullable Object part) {
    if (whole instanceof Map<?, ?> all && part instanceof Map<?, ?> some) {
      return some.entrySet().stream()
          .allMatch(
              one ->
                  all.containsKey(one.getKey()) && contains(all.get(one.getKey()), one.getValue()));
    }
    if (whole instanceof List<?> all && part instanceof List<?> some) {
      return some.stream().allMatch(one -> all.stream().anyMatch(item -> contains(item, one)));
    }
    if (whole instanceof Number one && part instanceof Number other) {
      return decimal(one).compareTo(decimal(other)) == 0;
    }
    return Objects.equals(whole, part);
  }

  private static BigDecimal decimal(Number number) {
    return number instanceof BigDecimal exact ? exact : BigDecimal.valueOf(number.longValue());
  }

  private static Payload bounded(String json) {
    int size = json.getBytes(StandardCharsets.UTF_8).length;
    if (size > MAX_SIZE) {
      throw new InvalidValueException(
          "a payload may have %s bytes of JSON; this one has %s; store the data elsewhere and pass where it is"
              .formatted(MAX_SIZE, size));
    }
    return stored(json);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Payload payload
        && (json.equals(payload.json) || content().equals(payload.content()));
  }

  @Override
  public int hashCode() {
    return content().hashCode();
  }

  @Override
  public String toString() {
    return json;
  }
}
