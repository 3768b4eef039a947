package dev.carillon.cli.schedule;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.carillon.cli.console.HumanText;
import dev.carillon.cli.console.Json;
import dev.carillon.cli.file.Document;
import java.util.Locale;
import java.util.Optional;

/**
 * What is to become of one schedule, target, calendar, or of quiet hours.
 *
 * @param resource what it is
 * @param key of the schedule, label of the target, or name
 * @param document that wants it; none if no document names the schedule
 * @param preview what would change, and what the server had when this was planned
 */
record Change(Resource resource, String key, Optional<Document> document, DryRunPreview preview) {

  /**
   * What a change was planned from.
   *
   * @param etag of what there was; empty if there was none, or the server did not say
   * @param retired whether it was a retired schedule
   */
  record Basis(Optional<String> etag, boolean retired) {}

  /** What can be defined in files, in the order in which it is: schedules need the others. */
  enum Resource {
    TARGET("target", "targets"),
    CALENDAR("calendar", "calendars"),
    QUIET_HOURS("quiet-hours", "quiet-hours"),
    SCHEDULE("schedule", "schedules");

    private final String word;
    private final String path;

    Resource(String word, String path) {
      this.word = word;
      this.path = path;
    }

    /** Return what a document calls this. */
    String word() {
      return word;
    }

    /** Return where the server has it. */
    String path() {
      return path;
    }
  }

  /** The kinds, in the order in which they are done. */
  enum Kind {
    CREATE,
    CHANGE,
    RETIRE,
    UNCHANGED;

    String word() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /**
   * A field that differs.
   *
   * @param pointer which one
   * @param before what it is; missing if it is not set
   * @param after what it is to be; missing if it is not to be set
   */
  record Field(String pointer, JsonNode before, JsonNode after) {
    String text() {
      return "%s: %s → %s".formatted(name(), text(before), text(after));
    }

    /** Return which field this is, as {@code --set} wants it. */
    String name() {
      return HumanText.path(pointer);
    }

    String text(JsonNode value) {
      return pointer.equals("/timing") && value.isObject()
          ? ScheduleText.timing(value)
          : pointer.startsWith("/payload") && value.isContainerNode()
              ? Json.write(value)
              : HumanText.value(value);
    }
  }

  Kind kind() {
    return preview.kind();
  }

  String name() {
    return resource == Resource.SCHEDULE ? key : resource.word() + " " + key;
  }

  ObjectNode json() {
    ObjectNode json = Json.object().put("action", kind().word());
    json.put("resource", resource.word()).put("key", key);
    document.ifPresent(from -> json.put("source", from.place()));
    for (Field field : preview.fields()) {
      ObjectNode each = json.withArray("changes").addObject().put("pointer", field.pointer());
      each.set("before", field.before());
      each.set("after", field.after());
    }
    preview.notes().forEach(note -> json.withArray("notes").add(note));
    return json;
  }
}
