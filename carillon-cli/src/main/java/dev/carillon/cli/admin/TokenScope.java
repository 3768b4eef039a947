package dev.carillon.cli.admin;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import java.util.StringJoiner;
import picocli.CommandLine.Option;

/** The options that limit a token. */
final class TokenScope {
  @Option(
      names = "--scope-target",
      paramLabel = "LABEL",
      description = "Limit it to this target; may be given more than once.")
  private List<String> targets = new ArrayList<>();

  @Option(
      names = "--scope-tag",
      paramLabel = "TAG",
      description = "Limit it to schedules with this tag; may be given more than once.")
  private List<String> tags = new ArrayList<>();

  @Option(
      names = "--scope-key",
      paramLabel = "PREFIX",
      description = "Limit it to keys that begin so; may be given more than once.")
  private List<String> keys = new ArrayList<>();

  /** Add what was given to the request for a token. */
  void addTo(ObjectNode token) {
    add(token, "targets", targets);
    add(token, "tags", tags);
    add(token, "keys", keys);
  }

  private static void add(ObjectNode token, String kind, List<String> values) {
    if (!values.isEmpty()) {
      values.forEach(token.withObject("/scope").putArray(kind)::add);
    }
  }

  /** Return the scope of a token as a line; empty if it reaches everything. */
  static String shown(JsonNode token) {
    var kinds = new StringJoiner(" ");
    for (String kind : List.of("targets", "tags", "keys")) {
      var values = new StringJoiner(",");
      token.path("scope").path(kind).forEach(value -> values.add(value.asText()));
      if (values.length() > 0) {
        kinds.add(kind + "=" + values);
      }
    }
    return kinds.toString();
  }
}
