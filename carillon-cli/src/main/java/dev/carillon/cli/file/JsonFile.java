package dev.carillon.cli.file;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.carillon.cli.console.Json;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Reads JSON values that follow one another, and remembers where everything was. */
final class JsonFile {
  private final String source;
  private final JsonParser parser;
  private Map<String, Integer> lines = new HashMap<>();

  private JsonFile(String source, String text) {
    this.source = source;
    this.parser = Json.parser(text);
  }

  static List<Document> read(String source, String text) {
    var file = new JsonFile(source, text);
    try {
      return file.read();
    } catch (JsonProcessingException e) {
      throw new UnreadableException(
          source, e.getLocation().getLineNr(), "not JSON: " + e.getOriginalMessage());
    } catch (IOException e) {
      throw new UncheckedIOException(e); // not from a text
    }
  }

  private List<Document> read() throws IOException {
    var documents = new ArrayList<Document>();
    while (parser.nextToken() != null) {
      lines = new HashMap<>();
      documents.add(new Document(source, documents.size() + 1, value(""), lines));
    }
    return documents;
  }

  private JsonNode value(String pointer) throws IOException {
    lines.put(pointer, parser.currentTokenLocation().getLineNr());
    return switch (parser.currentToken()) {
      case START_OBJECT -> object(pointer);
      case START_ARRAY -> array(pointer);
      case VALUE_STRING -> Json.object().textNode(parser.getText());
      case VALUE_NUMBER_INT -> Json.object().numberNode(parser.getBigIntegerValue());
      case VALUE_NUMBER_FLOAT -> Json.object().numberNode(new BigDecimal(parser.getText()));
      case VALUE_TRUE -> Json.object().booleanNode(true);
      case VALUE_FALSE -> Json.object().booleanNode(false);
      default -> Json.object().nullNode();
    };
  }

  private ObjectNode object(String pointer) throws IOException {
    ObjectNode object = Json.object();
    while (parser.nextToken() != JsonToken.END_OBJECT) {
      String name = parser.currentName();
      parser.nextToken();
      object.set(name, value(pointer + "/" + Document.escaped(name)));
    }
    return object;
  }

  private ArrayNode array(String pointer) throws IOException {
    ArrayNode array = Json.object().arrayNode();
    while (parser.nextToken() != JsonToken.END_ARRAY) {
      array.add(value(pointer + "/" + array.size()));
    }
    return array;
  }
}
