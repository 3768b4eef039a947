package dev.carillon.server.store;

import dev.carillon.json.Json;
import dev.carillon.time.InvalidValueException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** The settings of a target as a JSON object. {@code toString} shows names without values. */
public final class TargetSettings {
  /** The longest settings accepted, in bytes of their JSON. */
  public static final int MAX_SIZE = 64 * 1024;

  private final String json;

  private TargetSettings(String json) {
    this.json = json;
  }

  /** Make settings of text, numbers, booleans, lists and maps by name. */
  public static TargetSettings of(Map<String, ?> content) {
    String json = Json.write(content);
    int size = json.getBytes(StandardCharsets.UTF_8).length;
    if (size > MAX_SIZE) {
      throw new InvalidValueException(
          "settings may have " + MAX_SIZE + " bytes of JSON; these have " + size);
    }
    Json.read(json); // refuses what can be written but not stored, such as NUL
    return new TargetSettings(json);
  }

  /** Read a JSON object. */
  public static TargetSettings json(String json) {
    return of(Json.readObject(json));
  }

  /** Return settings from the database, unchecked. */
  public static TargetSettings stored(String json) {
    return new TargetSettings(json);
  }

  /** Return the JSON, secrets included. */
  public String json() {
    return json;
  }

  /** Return the content, secrets included. */
  public Map<String, @Nullable Object> content() {
    return Json.readObject(json);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof TargetSettings settings && content().equals(settings.content());
  }

  @Override
  public int hashCode() {
    return content().hashCode();
  }

  @Override
  public String toString() {
    return "settings of " + String.join(", ", new TreeSet<>(content().keySet()));
  }
}
