package dev.carillon.cli.file;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.carillon.cli.console.Json;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.api.lowlevel.Compose;
import org.snakeyaml.engine.v2.exceptions.Mark;
import org.snakeyaml.engine.v2.exceptions.MarkedYamlEngineException;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;
import org.snakeyaml.engine.v2.nodes.MappingNode;
import org.snakeyaml.engine.v2.nodes.Node;
import org.snakeyaml.engine.v2.nodes.NodeTuple;
import org.snakeyaml.engine.v2.nodes.ScalarNode;
import org.snakeyaml.engine.v2.nodes.SequenceNode;
import org.snakeyaml.engine.v2.nodes.Tag;
import org.snakeyaml.engine.v2.schema.CoreSchema;

/*
 * Nodes, not objects, are read from YAML: they have lines, and no tag can make them anything but
 * JSON. What aliases stand for is copied, so a few lines could become more than fits in memory: the
 * values of a file are counted.
 */
/** Reads YAML 1.2 documents, and remembers where everything was. */
final class YamlFile {
  private static final int MAX_VALUES = 1_000_000;
  private static final int MAX_DEPTH = 50;
  private static final int MAX_CODE_POINTS = 64 * 1024 * 1024;

  private final String source;
  private int values;
  private Map<String, Integer> lines = new HashMap<>();

  private YamlFile(String source) {
    this.source = source;
  }

  static List<Document> read(String source, String text) {
    try {
      return new YamlFile(source).read(text);
    } catch (MarkedYamlEngineException e) {
      throw new UnreadableException(
          source,
          e.getProblemMark().map(Mark::getLine).orElse(0) + 1,
          "not YAML: " + String.valueOf(e.getProblem()).strip());
    } catch (YamlEngineException e) {
      throw new UnreadableException(
          source, 1, "not YAML: " + String.valueOf(e.getMessage()).lines().findFirst().orElse(""));
    }
  }

  private List<Document> read(String text) {
    var settings =
        LoadSettings.builder()
            .setSchema(new CoreSchema())
            .setCodePointLimit(MAX_CODE_POINTS)
            .setAllowDuplicateKeys(false)
            .setLabel(source)
            .build();
    var documents = new ArrayList<Document>();
    int number = 0;
    for (Node root : new Compose(settings).composeAllFromString(text)) {
      number++;
      lines = new HashMap<>();
      JsonNode body = value(root, "", 0);
      if (!body.isNull()) { // what stands between two separators may be nothing but comments
        documents.add(new Document(source, number, body, lines));
      }
    }
    return documents;
  }

  private JsonNode value(Node node, String pointer, int depth) {
    if (++values > MAX_VALUES) {
      throw at(node, "more than %s values once its aliases are replaced".formatted(MAX_VALUES));
    }
    if (depth > MAX_DEPTH) {
      throw at(
          node, "nested more than %s deep, or an alias stands inside itself".formatted(MAX_DEPTH));
    }
    lines.put(pointer, line(node));
    if (node instanceof MappingNode mapping) {
      return object(mapping, pointer, depth);
    }
    if (node instanceof SequenceNode sequence) {
      ArrayNode array = Json.object().arrayNode();
      for (Node item : sequence.getValue()) {
        array.add(value(item, pointer + "/" + array.size(), depth + 1));
      }
      return array;
    }
    return scalar((ScalarNode) node);
  }

  private ObjectNode object(MappingNode mapping, String pointer, int depth) {
    ObjectNode object = Json.object();
    for (NodeTuple field : mapping.getValue()) {
      if (!(field.getKeyNode() instanceof ScalarNode key)) {
        throw at(field.getKeyNode(), "a name must be a text");
      }
      String name = key.getValue();
      if (object.has(name)) {
        throw at(key, "'%s' is there twice".formatted(name));
      }
      object.set(
          name, value(field.getValueNode(), pointer + "/" + Document.escaped(name), depth + 1));
    }
    return object;
  }

  private JsonNode scalar(ScalarNode scalar) {
    String text = scalar.getValue();
    Tag tag = scalar.getTag();
    try {
      if (tag.equals(Tag.NULL)) {
        return Json.object().nullNode();
      }
      if (tag.equals(Tag.BOOL)) {
        return Json.object().booleanNode(text.toLowerCase(Locale.ROOT).equals("true"));
      }
      if (tag.equals(Tag.INT)) {
        return Json.object().numberNode(integer(text));
      }
      if (tag.equals(Tag.FLOAT)) {
        return Json.object().numberNode(new BigDecimal(text));
      }
    } catch (NumberFormatException e) {
      throw at(scalar, "'%s' is no number that JSON has; put it in quotes".formatted(text));
    }
    if (!tag.equals(Tag.STR) && !tag.equals(Tag.ENV_TAG)) { // ${NAME} is a text like any other
      throw at(scalar, "'%s' has the tag %s, which means nothing here".formatted(text, tag));
    }
    return Json.object().textNode(text);
  }

  private static BigInteger integer(String text) {
    if (text.startsWith("0x")) {
      return new BigInteger(text.substring(2), 16);
    }
    return text.startsWith("0o") ? new BigInteger(text.substring(2), 8) : new BigInteger(text);
  }

  private UnreadableException at(Node node, String problem) {
    return new UnreadableException(source, line(node), problem);
  }

  private static int line(Node node) {
    return node.getStartMark().map(Mark::getLine).orElse(0) + 1;
  }
}
