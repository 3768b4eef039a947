package dev.carillon.cli.schedule;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.carillon.cli.console.Environment;
import dev.carillon.cli.console.Json;
import dev.carillon.cli.file.Document;
import dev.carillon.cli.file.Documents;
import dev.carillon.cli.file.UnreadableException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * What files define: a document is a schedule; a target, if it says {@code kind: target}; or lists
 * of both, called {@code targets} and {@code schedules}.
 *
 * @param targets by label, in the order of the files
 * @param schedules by key, in the order of the files
 */
public record Definitions(Map<String, Document> targets, Map<String, Document> schedules) {
  private static final Set<String> LISTS = Set.of("targets", "schedules");

  /**
   * Read the files.
   *
   * @throws UnreadableException if one of them makes no sense
   */
  public static Definitions read(Environment environment, List<String> sources) {
    var definitions = new Definitions(new LinkedHashMap<>(), new LinkedHashMap<>());
    var secrets = new SecretReferences(environment);
    for (Document document : new Documents(environment).read(sources)) {
      for (Document each : parts(document)) {
        definitions.add(each, secrets);
      }
    }
    return definitions;
  }

  private static List<Document> parts(Document document) {
    JsonNode body = document.body();
    if (LISTS.stream().noneMatch(list -> body.path(list).isArray())) {
      return List.of(document);
    }
    var parts = new ArrayList<Document>();
    for (Map.Entry<String, JsonNode> field : body.properties()) {
      if (!LISTS.contains(field.getKey()) || !field.getValue().isArray()) {
        throw new UnreadableException(
            "%s: beside a list of targets or schedules there can only be the other; move '%s' into a document of its own"
                .formatted(document.place("/" + field.getKey()), field.getKey()));
      }
      for (int i = 0; i < field.getValue().size(); i++) {
        Document part = document.part("/" + field.getKey() + "/" + i);
        parts.add(
            field.getKey().equals("targets") && part.body() instanceof ObjectNode target
                ? part.with(target.deepCopy().put("kind", "target"))
                : part);
      }
    }
    return parts;
  }

  private void add(Document document, SecretReferences secrets) {
    String kind = Json.text(document.body(), "/kind");
    switch (kind) {
      case "target" -> {
        String label = Documents.required(document, "label");
        put(targets, label, secrets.resolved(document.with(without(document, "kind", "label"))));
      }
      case "", "schedule" ->
          put(
              schedules,
              Documents.required(document, "key"),
              kind.isEmpty() ? document : document.with(without(document, "kind")));
      default ->
          throw new UnreadableException(
              "%s: there is no kind '%s'; write target or schedule"
                  .formatted(document.place("/kind"), kind));
    }
  }

  private static ObjectNode without(Document document, String... fields) {
    ObjectNode body = document.body().deepCopy();
    return body.remove(List.of(fields));
  }

  private static void put(Map<String, Document> known, String name, Document document) {
    Document other = known.putIfAbsent(name, document);
    if (other != null) {
      throw new UnreadableException(
          "%s: '%s' is also defined at %s; keep one"
              .formatted(document.place(), name, other.place()));
    }
  }
}
