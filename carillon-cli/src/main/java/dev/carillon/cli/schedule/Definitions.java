package dev.carillon.cli.schedule;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.carillon.cli.calendar.RuleDocument;
import dev.carillon.cli.console.Environment;
import dev.carillon.cli.console.Json;
import dev.carillon.cli.file.Document;
import dev.carillon.cli.file.Documents;
import dev.carillon.cli.file.UnreadableException;
import dev.carillon.cli.schedule.Change.Resource;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What files define: a document is a schedule; a target, a calendar or quiet hours, if it says
 * {@code kind: target}, {@code kind: calendar} or {@code kind: quiet-hours}; or lists of them,
 * called {@code targets}, {@code calendars}, {@code quietHours} and {@code schedules}.
 *
 * @param targets by label, in the order of the files
 * @param calendars by name, those that combine others last
 * @param quietHours by name, in the order of the files
 * @param schedules by key, in the order of the files
 */
public record Definitions(
    Map<String, Document> targets,
    Map<String, Document> calendars,
    Map<String, Document> quietHours,
    Map<String, Document> schedules) {
  /* The lists, and the kind of what is in each. */
  private static final Map<String, String> LISTS =
      Map.of(
          "targets", "target",
          "calendars", "calendar",
          "quietHours", "quiet-hours",
          "schedules", "schedule");

  /**
   * Read the files.
   *
   * @throws UnreadableException if one of them makes no sense
   */
  public static Definitions read(Environment environment, List<String> sources) {
    var definitions =
        new Definitions(
            new LinkedHashMap<>(),
            new LinkedHashMap<>(),
            new LinkedHashMap<>(),
            new LinkedHashMap<>());
    var secrets = new SecretReferences(environment);
    for (Document document : new Documents(environment).read(sources)) {
      for (Document each : parts(document)) {
        definitions.add(each, secrets);
      }
    }
    return definitions.combinationsLast();
  }

  /** Return the documents of one kind, by name. */
  Map<String, Document> of(Resource resource) {
    return switch (resource) {
      case TARGET -> targets;
      case CALENDAR -> calendars;
      case QUIET_HOURS -> quietHours;
      case SCHEDULE -> schedules;
    };
  }

  /* A combination can only be made of calendars that there are. */
  private Definitions combinationsLast() {
    var ordered = new LinkedHashMap<String, Document>();
    for (boolean combined : new boolean[] {false, true}) {
      calendars.forEach(
          (name, document) -> {
            if (document.body().path("combines").isEmpty() != combined) {
              ordered.put(name, document);
            }
          });
    }
    return new Definitions(targets, ordered, quietHours, schedules);
  }

  private static List<Document> parts(Document document) {
    JsonNode body = document.body();
    if (LISTS.keySet().stream().noneMatch(list -> body.path(list).isArray())) {
      return List.of(document);
    }
    var parts = new ArrayList<Document>();
    for (Map.Entry<String, JsonNode> field : body.properties()) {
      Optional<String> kind = Optional.ofNullable(LISTS.get(field.getKey()));
      if (kind.isEmpty() || !field.getValue().isArray()) {
        throw new UnreadableException(
            "%s: beside a list of targets, calendars, quietHours or schedules there can only be others of these; move '%s' into a document of its own"
                .formatted(document.place("/" + field.getKey()), field.getKey()));
      }
      for (int i = 0; i < field.getValue().size(); i++) {
        Document part = document.part("/" + field.getKey() + "/" + i);
        parts.add(
            !kind.get().equals("schedule") && part.body() instanceof ObjectNode object
                ? part.with(object.deepCopy().put("kind", kind.get()))
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
      case "calendar" ->
          put(calendars, Documents.required(document, "name"), RuleDocument.definition(document));
      case "quiet-hours" ->
          put(quietHours, Documents.required(document, "name"), RuleDocument.definition(document));
      case "", "schedule" ->
          put(
              schedules,
              Documents.required(document, "key"),
              kind.isEmpty() ? document : document.with(without(document, "kind")));
      default ->
          throw new UnreadableException(
              "%s: there is no kind '%s'; write target, calendar, quiet-hours or schedule"
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
