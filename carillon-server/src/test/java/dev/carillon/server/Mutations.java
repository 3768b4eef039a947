package dev.carillon.server;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.math.BigDecimal;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** Requests that fit the OpenAPI document, nearly fit it, or do not fit it at all. */
final class Mutations {
  private static final JsonNodeFactory JSON = JsonNodeFactory.instance;
  private static final List<String> NASTY =
      List.of(
          "",
          " ",
          "\0",
          "\ud800",
          "é",
          "a".repeat(201),
          "a".repeat(5_000),
          "'; drop table run; --",
          "%",
          "%00",
          "../../etc/passwd",
          "{}",
          "null",
          "-1",
          "9".repeat(40),
          "1e400",
          "true",
          "2026-02-30T00:00:00Z",
          "9999-12-31T23:59:59.999999999Z",
          "+1000000000-01-01T00:00:00Z",
          "-0001-01-01T00:00:00Z",
          "P1Y",
          "PT9999999999999999H",
          "-PT1S",
          "P36525D",
          "* * * * *",
          "@every 0s",
          "0 0 31 2 *",
          "Europe/Rome",
          "EST",
          "\u202e",
          "\n",
          "\uD83D\uDD14",
          "NaN");

  private final JsonNode document;
  private final Random random;

  Mutations(JsonNode document, long seed) {
    this.document = document;
    this.random = new Random(seed);
  }

  /** Return a body that fits {@code schema}, or does in all but one or two places. */
  byte[] body(JsonNode schema) {
    JsonNode value = value(schema, 0);
    int times = random.nextInt(3);
    for (int i = 0; i < times && value.isObject(); i++) {
      spoil((ObjectNode) value, 0);
    }
    String text = value.toString();
    return switch (random.nextInt(20)) {
      case 0 -> new byte[0];
      case 1 ->
          text.substring(0, random.nextInt(text.length() + 1)).getBytes(StandardCharsets.UTF_8);
      case 2 -> broken(text.getBytes(StandardCharsets.UTF_8));
      case 3 -> ("[" + text + "]").getBytes(StandardCharsets.UTF_8);
      case 4 -> ("[".repeat(random.nextInt(200)) + text).getBytes(StandardCharsets.UTF_8);
      default -> text.getBytes(StandardCharsets.UTF_8);
    };
  }

  /** Return a text for a part of a path, percent-encoded, mostly well. */
  String part() {
    return random.nextInt(20) == 0 ? "%" + random.nextInt(10) : encoded(text(JSON.objectNode()));
  }

  /** Return a raw query with some of {@code parameters}. */
  String query(JsonNode parameters) {
    var pairs = new ArrayList<String>();
    for (JsonNode parameter : parameters) {
      if (parameter.get("in").asText().equals("query") && random.nextInt(3) == 0) {
        JsonNode value =
            random.nextInt(3) == 0 ? JSON.textNode(nasty()) : value(parameter.get("schema"), 0);
        pairs.add(encoded(parameter.get("name").asText()) + "=" + encoded(value.asText()));
      }
    }
    if (random.nextInt(15) == 0) {
      pairs.add(encoded(nasty()) + "=" + encoded(nasty()));
    }
    if (random.nextInt(30) == 0) {
      pairs.add("%zz=%");
    }
    return String.join("&", pairs);
  }

  String nasty() {
    return NASTY.get(random.nextInt(NASTY.size()));
  }

  boolean chance(int oneIn) {
    return random.nextInt(oneIn) == 0;
  }

  private static String encoded(String text) {
    return URLEncoder.encode(text.isEmpty() ? "x" : text, StandardCharsets.UTF_8)
        .replace("+", "%20");
  }

  private byte[] broken(byte[] bytes) {
    if (bytes.length > 0) {
      bytes[random.nextInt(bytes.length)] = (byte) random.nextInt(256);
    }
    return bytes;
  }

  private void spoil(ObjectNode object, int depth) {
    var names = new ArrayList<String>();
    object.fieldNames().forEachRemaining(names::add);
    if (names.isEmpty() || random.nextInt(8) == 0) {
      object.set(nasty(), any(0));
      return;
    }
    String name = names.get(random.nextInt(names.size()));
    if (object.get(name) instanceof ObjectNode inner && random.nextBoolean() && depth < 3) {
      spoil(inner, depth + 1);
    } else if (random.nextInt(4) == 0) {
      object.remove(name);
    } else {
      object.set(name, any(0));
    }
  }

  private JsonNode any(int depth) {
    return switch (random.nextInt(depth > 2 ? 6 : 8)) {
      case 0 -> JSON.nullNode();
      case 1 -> JSON.booleanNode(random.nextBoolean());
      case 2 -> JSON.numberNode(random.nextLong());
      case 3 -> JSON.numberNode(random.nextInt(5) - 2);
      case 4 -> JSON.numberNode(new BigDecimal("1e" + random.nextInt(2_000)));
      case 5 -> JSON.textNode(nasty());
      case 6 -> JSON.arrayNode().add(any(depth + 1));
      default -> JSON.objectNode().set(nasty(), any(depth + 1));
    };
  }

  private JsonNode value(JsonNode schema, int depth) {
    if (schema.has("$ref")) {
      return value(document.at(schema.get("$ref").asText().substring(1)), depth);
    }
    if (schema.has("anyOf")) {
      return value(schema.get("anyOf").get(random.nextInt(schema.get("anyOf").size())), depth);
    }
    if (schema.has("enum")) {
      return schema.get("enum").get(random.nextInt(schema.get("enum").size()));
    }
    JsonNode type = schema.path("type");
    String word =
        type.isArray() ? type.get(random.nextInt(type.size())).asText() : type.asText("any");
    return switch (word) {
      case "object" -> object(schema, depth);
      case "array" -> array(schema, depth);
      case "string" -> JSON.textNode(text(schema));
      case "integer" -> JSON.numberNode(whole(schema));
      case "number" -> JSON.numberNode(1 + random.nextInt(200) / 2.0);
      case "boolean" -> JSON.booleanNode(random.nextBoolean());
      case "null" -> JSON.nullNode();
      default -> any(0);
    };
  }

  private ObjectNode object(JsonNode schema, int depth) {
    ObjectNode object = JSON.objectNode();
    var required = new ArrayList<String>();
    schema.path("required").forEach(name -> required.add(name.asText()));
    for (var field : schema.path("properties").properties()) {
      if (required.contains(field.getKey()) || random.nextInt(3) == 0) {
        object.set(field.getKey(), value(field.getValue(), depth + 1));
      }
    }
    return object;
  }

  private JsonNode array(JsonNode schema, int depth) {
    var array = JSON.arrayNode();
    int size = random.nextInt(3);
    for (int i = 0; i < size; i++) {
      array.add(value(schema.path("items"), depth + 1));
    }
    return array;
  }

  private long whole(JsonNode schema) {
    long least = schema.path("minimum").asLong(0);
    return switch (random.nextInt(4)) {
      case 0 -> least;
      case 1 -> schema.path("maximum").asLong(Long.MAX_VALUE);
      case 2 -> least - 1;
      default -> least + random.nextInt(20);
    };
  }

  private String text(JsonNode schema) {
    return switch (schema.path("format").asText("")) {
      case "date-time" ->
          "202%s-0%s-1%sT0%s:00:00Z"
              .formatted(
                  random.nextInt(10),
                  1 + random.nextInt(9),
                  random.nextInt(10),
                  random.nextInt(10));
      case "duration" -> "PT%sS".formatted(random.nextInt(5_000));
      case "uuid" -> "0190a000-0000-8000-8000-%012x".formatted(random.nextInt(1 << 20));
      default ->
          switch (random.nextInt(6)) {
            case 0 -> nasty();
            case 1 -> "noop";
            case 2 -> "* * * * *";
            default -> "name-" + random.nextInt(5);
          };
    };
  }
}
