package dev.carillon.cli.schedule;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.carillon.cli.console.Json;
import dev.carillon.cli.file.Document;
import dev.carillon.server.ScheduleDocument;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * Calendars and quiet hours that are yet to be created. The server cannot check what names them, so
 * it is asked about the rest.
 *
 * @param calendars the names of the calendars
 * @param quietHours the names of the quiet hours
 */
record ComingRules(Set<String> calendars, Set<String> quietHours) {
  /* Where definitions of schedules name calendars. */
  private static final List<String> CALENDARS =
      List.of(
          "/calendar/name",
          "/deadline/calendar",
          "/retry/calendar",
          "/timeoutCalendar",
          "/timing/calendar");

  /** Return the names of the fields of {@code body} that name one of these. */
  private Set<String> fields(JsonNode body) {
    var fields = new TreeSet<String>();
    for (String pointer : CALENDARS) {
      if (calendars.contains(Json.text(body, pointer))) {
        int member = pointer.indexOf('/', 1);
        fields.add(pointer.substring(1, member < 0 ? pointer.length() : member));
      }
    }
    if (quietHours.contains(Json.text(body, "/quietHours"))) {
      fields.add("quietHours");
    }
    for (JsonNode part : body.path("combines")) {
      if (calendars.contains(part.asText())) {
        fields.add("combines");
      }
    }
    return fields;
  }

  /** Return a schedule without what names one of these; what is wrong there is a mistake. */
  JsonNode without(String key, Document document, List<String> mistakes) {
    Set<String> fields = fields(document.body());
    if (fields.isEmpty() || !(document.body() instanceof ObjectNode object)) {
      return document.body();
    }
    ObjectNode body = object.deepCopy();
    for (String field : fields) {
      switch (field) {
        case "timing" -> body.putObject("timing").put("every", "P1D");
        case "deadline", "retry" -> body.withObject("/" + field).remove("calendar");
        default -> body.remove(field);
      }
    }
    ScheduleDocument.read(key, dev.carillon.json.Json.readObject(Json.write(object)))
        .mistakes()
        .stream()
        .filter(mistake -> fields.stream().anyMatch(field -> isIn(mistake.pointer(), field)))
        .map(mistake -> document.place(mistake.pointer()) + ": " + mistake.message())
        .forEach(mistakes::add);
    return body;
  }

  private static boolean isIn(String pointer, String field) {
    return pointer.equals("/" + field) || pointer.startsWith("/" + field + "/");
  }

  /** Return a calendar without the parts that are among these; the zone stands in for all. */
  JsonNode withoutParts(JsonNode body) {
    if (fields(body).isEmpty() || !(body instanceof ObjectNode object)) {
      return body;
    }
    ObjectNode known = object.deepCopy();
    ArrayNode parts = known.putArray("combines");
    for (JsonNode part : body.path("combines")) {
      if (!calendars.contains(part.asText())) {
        parts.add(part);
      }
    }
    if (parts.isEmpty()) {
      known.remove("combines");
      known.put("zone", "UTC");
    }
    return known;
  }

  /** Return what the server said of the rest of {@code body} as what it says of all of it. */
  DryRunPreview restored(JsonNode body, DryRunPreview preview) {
    Set<String> fields = fields(body);
    return fields.isEmpty()
        ? preview
        : preview.withFields(
            body,
            fields,
            fields.stream().collect(Collectors.joining(" and "))
                + (fields.size() == 1 ? " names" : " name")
                + " what is created first, so the fires are not known yet");
  }
}
