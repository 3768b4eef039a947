package dev.carillon.cli.schedule;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.carillon.cli.console.Json;
import dev.carillon.cli.file.Documents;
import dev.carillon.cli.file.UnreadableException;
import dev.carillon.cli.remote.Session;
import java.util.Arrays;
import java.util.List;

/**
 * A field and what it is to be, as {@code --set} says it: {@code retry.attempts=5}. A value is a
 * number, true, false, null, a list, an object or a text in quotes as JSON has them, and any other
 * text as it is.
 *
 * @param path the names that lead to the field
 * @param value what it is to be
 */
record Assignment(List<String> path, JsonNode value) {

  static Assignment parse(String text) {
    int equals = text.indexOf('=');
    String left = equals < 0 ? "" : text.substring(0, equals).strip();
    List<String> names =
        left.startsWith("/")
            ? Arrays.stream(left.substring(1).split("/", -1))
                .map(name -> name.replace("~1", "/").replace("~0", "~"))
                .toList()
            : Arrays.asList(left.split("\\.", -1));
    if (names.stream().anyMatch(String::isBlank)) {
      throw Session.wrong(
          "--set: '%s' is not PATH=VALUE; write it as retry.attempts=5 or description=text", text);
    }
    return new Assignment(names, value(text.substring(equals + 1).strip()));
  }

  private static JsonNode value(String text) {
    if (text.startsWith("[") || text.startsWith("{")) {
      try {
        return Documents.inline("--set", text);
      } catch (UnreadableException e) {
        throw Session.wrong("%s", String.valueOf(e.getMessage()));
      }
    }
    boolean literal = text.matches("true|false|null|\".*\"|-?[0-9]+(\\.[0-9]+)?");
    try {
      return literal ? Json.read(text) : Json.object().textNode(text);
    } catch (JsonProcessingException e) {
      return Json.object().textNode(text);
    }
  }

  void applyTo(ObjectNode object) {
    ObjectNode around = object;
    for (String name : path.subList(0, path.size() - 1)) {
      around = around.get(name) instanceof ObjectNode there ? there : around.putObject(name);
    }
    around.set(path.get(path.size() - 1), value);
  }
}
