package dev.carillon.cli.file;

import com.fasterxml.jackson.databind.JsonNode;
import dev.carillon.cli.console.HumanText;
import java.util.HashMap;
import java.util.Map;

/**
 * One definition in a file.
 *
 * @param source the file, as it was named
 * @param number which document of the file, from 1 on
 * @param body the definition
 * @param lines the line of each value, by its pointer; the whole has the empty one
 */
public record Document(String source, int number, JsonNode body, Map<String, Integer> lines) {

  /** Say where this is. */
  public String place() {
    return place("");
  }

  /** Say where the value at {@code pointer} is, or the nearest around it that has a line. */
  public String place(String pointer) {
    String around = pointer;
    while (!lines.containsKey(around) && !around.isEmpty()) {
      around = around.substring(0, Math.max(0, around.lastIndexOf('/')));
    }
    return "%s:%s (document %s%s)"
        .formatted(
            source,
            lines.getOrDefault(around, 1),
            number,
            pointer.isEmpty() ? "" : ", " + HumanText.path(pointer));
  }

  /** Return what is at {@code pointer} as a document of its own. */
  public Document part(String pointer) {
    var below = new HashMap<String, Integer>();
    lines.forEach(
        (place, line) -> {
          if (place.equals(pointer) || place.startsWith(pointer + "/")) {
            below.put(place.substring(pointer.length()), line);
          }
        });
    return new Document(source, number, body.at(pointer), below);
  }

  /** Return this with another body. */
  public Document with(JsonNode other) {
    return new Document(source, number, other, lines);
  }

  /** Return the name of a field as a part of a pointer (RFC 6901). */
  static String escaped(String name) {
    return name.replace("~", "~0").replace("/", "~1");
  }
}
