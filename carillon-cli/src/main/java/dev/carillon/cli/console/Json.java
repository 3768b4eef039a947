package dev.carillon.cli.console;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.cfg.JsonNodeFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.carillon.json.PrintableText;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** How this program reads and writes JSON: strictly, and without losing a digit. */
public final class Json {
  private static final JsonMapper MAPPER =
      JsonMapper.builder()
          .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
          .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
          .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
          .disable(JsonNodeFeature.STRIP_TRAILING_BIGDECIMAL_ZEROES)
          .build();

  private Json() {}

  /** Return a new object. */
  public static ObjectNode object() {
    return MAPPER.createObjectNode();
  }

  /** Read a text that is one value and nothing else. */
  public static JsonNode read(String text) throws JsonProcessingException {
    return MAPPER.readTree(text);
  }

  /** Open a text that is any number of values. */
  public static JsonParser parser(String text) {
    try {
      return MAPPER.createParser(text);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Write {@code value} on one line. */
  public static String write(JsonNode value) {
    return PrintableText.json(value.toString());
  }

  /** Write {@code value} for people to read. */
  public static String pretty(JsonNode value) {
    return PrintableText.json(value.toPrettyString());
  }

  /** Set a field of {@code object}, unless there is no value. */
  public static void put(ObjectNode object, String name, @Nullable String value) {
    if (value != null) {
      object.put(name, value);
    }
  }

  /** Return the text at {@code pointer}, such as {@code /timing/cron}; empty if there is none. */
  public static String text(JsonNode value, String pointer) {
    JsonNode found = value.at(pointer);
    if (found.isMissingNode() || found.isNull()) {
      return "";
    }
    return found.isValueNode() ? found.asText() : write(found);
  }

  /** Return the instant at {@code pointer}, if there is one. */
  public static Optional<Instant> instant(JsonNode value, String pointer) {
    try {
      String text = text(value, pointer);
      return text.isEmpty() ? Optional.empty() : Optional.of(Instant.parse(text));
    } catch (DateTimeException e) {
      return Optional.empty();
    }
  }
}
