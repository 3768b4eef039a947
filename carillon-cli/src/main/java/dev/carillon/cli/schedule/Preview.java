package dev.carillon.cli.schedule;

import com.fasterxml.jackson.databind.JsonNode;
import dev.carillon.cli.console.Json;
import dev.carillon.cli.file.Document;
import dev.carillon.cli.remote.Call;
import dev.carillon.cli.remote.Client;
import dev.carillon.cli.schedule.Change.Field;
import dev.carillon.cli.schedule.Change.Kind;
import java.util.ArrayList;
import java.util.List;

/**
 * What the server says a definition would change.
 *
 * @param kind of change
 * @param fields which differ from the current version
 * @param notes warnings, and how many fires are gained and lost
 */
record Preview(Kind kind, List<Field> fields, List<String> notes) {

  /** Ask for the preview of {@code document}, which changes nothing. */
  static Preview ask(Client client, String key, Document document) {
    Call put = Call.put("schedules", key).sending(document.body());
    JsonNode answer = client.send(put.with("dryRun", true)).body();
    Kind kind = kind(Json.text(answer, "/result"));
    JsonNode current =
        kind == Kind.CHANGE ? client.send(Call.get("schedules", key)).body() : Json.object();
    return read(kind, answer, current, document.body());
  }

  private static Kind kind(String result) {
    return switch (result) {
      case "created" -> Kind.CREATE;
      case "unchanged" -> Kind.UNCHANGED;
      default -> Kind.CHANGE;
    };
  }

  static Preview read(Kind kind, JsonNode answer, JsonNode current, JsonNode wanted) {
    var changed = new ArrayList<String>();
    answer.path("changedFields").forEach(field -> changed.add(field.asText()));
    var notes = new ArrayList<String>();
    answer.path("warnings").forEach(warning -> notes.add("warning: " + said(warning)));
    int gained = answer.path("firesGained").size();
    int lost = answer.path("firesLost").size();
    if (kind == Kind.CHANGE && gained + lost > 0) {
      notes.add(
          "fires of the next 30 days: %s gained, %s lost".formatted(most(gained), most(lost)));
    }
    List<Field> fields =
        kind == Kind.CHANGE ? Difference.between(current, wanted, changed) : List.of();
    return new Preview(kind, fields, List.copyOf(notes));
  }

  private static String said(JsonNode warning) {
    return warning.isObject() ? Json.text(warning, "/message") : warning.asText();
  }

  /* The server lists a hundred at most. */
  private static String most(int count) {
    return count < 100 ? String.valueOf(count) : "100 or more";
  }
}
