package dev.carillon.cli.remote;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.carillon.cli.console.DateTimeReader;
import dev.carillon.cli.console.Environment;
import dev.carillon.cli.console.Json;
import dev.carillon.time.DurationText;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Reads the values that options take: JSON in place, from a file or from stdin; moments, lengths of
 * time.
 *
 * @param zone the time zone of moments that name none
 */
public record OptionValues(Environment environment, ZoneId zone) {

  /** Read moments that name no zone as those of UTC. */
  public OptionValues(Environment environment) {
    this(environment, ZoneOffset.UTC);
  }

  /** Return a text that narrows what is meant; an empty one is refused: a variable was not set. */
  public static @Nullable String filled(String option, @Nullable String text) {
    if (text != null && text.isBlank()) {
      throw Session.wrong("%s must not be empty; leave it out if it does not matter", option);
    }
    return text;
  }

  /** Read JSON given as itself, as {@code @FILE}, or as {@code -} for stdin. */
  public Optional<JsonNode> json(String option, @Nullable String text) {
    if (text == null) {
      return Optional.empty();
    }
    String content = content(option, text);
    try {
      JsonNode value = Json.read(content);
      if (value.isMissingNode()) {
        throw Session.wrong("%s: there is nothing in it; write JSON, such as {}", option);
      }
      return Optional.of(value);
    } catch (JsonProcessingException e) {
      throw Session.wrong(
          "%s is not JSON, at line %d, column %d: %s",
          option,
          e.getLocation().getLineNr(),
          e.getLocation().getColumnNr(),
          e.getOriginalMessage());
    }
  }

  /** Put what {@code --payload} gives, if anything, into {@code body}. */
  public void addPayload(ObjectNode body, @Nullable String text) {
    json("--payload", text).ifPresent(json -> body.set("payload", json));
  }

  /** Read a text given as itself, as {@code @FILE}, or as {@code -}, without its line break. */
  public @Nullable String secret(String option, @Nullable String text) {
    return text == null ? null : content(option, text).replaceFirst("\\R$", "");
  }

  private String content(String option, String text) {
    try {
      if (text.equals("-")) {
        return new String(environment.in().readAllBytes(), StandardCharsets.UTF_8);
      }
      return text.startsWith("@")
          ? Files.readString(environment.folder().resolve(text.substring(1)))
          : text;
    } catch (IOException e) {
      throw Session.wrong("%s: %s cannot be read", option, text.substring(1));
    }
  }

  /** Read a day or moment, which is sent as an instant. */
  public @Nullable String moment(String option, @Nullable String text, DateTimeReader.Edge edge) {
    filled(option, text);
    if (text == null) {
      return null;
    }
    return DateTimeReader.parse(text, environment.clock().instant(), zone, edge)
        .map(Object::toString)
        .orElseThrow(
            () ->
                Session.wrong(
                    "%s: '%s' is neither a date nor a time; %s",
                    option, text, DateTimeReader.FORMS));
  }

  /**
   * Read a length of time, which is sent as ISO 8601. What begins with a P is left to the server,
   * which also knows periods of the calendar such as P1M.
   */
  public @Nullable String duration(String option, @Nullable String text) {
    if (text == null || text.strip().startsWith("P")) {
      return text;
    }
    try {
      return DurationText.parse(text).toString();
    } catch (IllegalArgumentException e) {
      throw Session.wrong("%s: %s", option, String.valueOf(e.getMessage()));
    }
  }
}
