package dev.carillon.server.web;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A query parameter of a route.
 *
 * @param name its name
 * @param says what it is for
 * @param schema its form, as JSON Schema
 */
public record QueryParameter(String name, String says, Map<String, Object> schema) {
  public QueryParameter {
    schema = Map.copyOf(schema);
  }

  /** Describe any text. */
  public static QueryParameter text(String name, String says) {
    return new QueryParameter(name, says, Map.of("type", "string"));
  }

  /** Describe a text of a format, such as {@code date-time}. */
  public static QueryParameter format(String name, String format, String says) {
    return new QueryParameter(name, says, Map.of("type", "string", "format", format));
  }

  /** Describe one of some words. */
  public static QueryParameter word(String name, List<String> words, String says) {
    return new QueryParameter(name, says, Map.of("type", "string", "enum", words));
  }

  /** Describe a whole number. */
  public static QueryParameter whole(String name, long least, long most, String says) {
    return new QueryParameter(
        name, says, Map.of("type", "integer", "minimum", least, "maximum", most));
  }

  /** Describe {@code true} or {@code false}. */
  public static QueryParameter flag(String name, String says) {
    return new QueryParameter(name, says, Map.of("type", "boolean"));
  }

  /** Return it as the OpenAPI document has it. */
  public Map<String, Object> written() {
    var written = new LinkedHashMap<String, Object>();
    written.put("name", name);
    written.put("in", "query");
    written.put("description", says);
    written.put("schema", schema);
    return written;
  }
}
