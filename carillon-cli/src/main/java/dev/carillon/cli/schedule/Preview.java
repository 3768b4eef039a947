package dev.carillon.cli.schedule;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
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
    JsonNode current =
        kind(answer) == Kind.CHANGE
            ? client.send(Call.get("schedules", key)).body()
            : Json.object();
    return read(answer, current, document.body());
  }

  static Preview read(JsonNode answer, JsonNode current, JsonNode wanted) {
    Kind kind = kind(answer);
    var fields = new ArrayList<Field>();
    if (kind == Kind.CHANGE) {
      answer.path("changedFields").forEach(name -> fields.addAll(named(name, current, wanted)));
    }
    return new Preview(kind, List.copyOf(fields), notes(kind, answer));
  }

  /* A document leaves out what it does not care for, which is no difference. */
  private static List<Field> named(JsonNode name, JsonNode current, JsonNode wanted) {
    JsonNode before = current.path(name.asText());
    JsonNode after = wanted.path(name.asText());
    if (before instanceof ObjectNode old && after instanceof ObjectNode fresh) {
      after = old.deepCopy().setAll(fresh);
    }
    List<Field> found = Difference.between("/" + name.asText(), before, after);
    return found.isEmpty() ? List.of(new Field("/" + name.asText(), before, after)) : found;
  }

  private static Kind kind(JsonNode answer) {
    return switch (Json.text(answer, "/result")) {
      case "created" -> Kind.CREATE;
      case "unchanged" -> Kind.UNCHANGED;
      default -> Kind.CHANGE;
    };
  }

  private static List<String> notes(Kind kind, JsonNode answer) {
    var notes = new ArrayList<String>();
    answer.path("warnings").forEach(warning -> notes.add("warning: " + said(warning)));
    int gained = answer.path("firesGained").size();
    int lost = answer.path("firesLost").size();
    if (kind == Kind.CHANGE && gained + lost > 0) {
      notes.add(
          "fires of the next 30 days: %s gained, %s lost".formatted(most(gained), most(lost)));
    }
    return List.copyOf(notes);
  }

  private static String said(JsonNode warning) {
    return warning.isObject() ? Json.text(warning, "/message") : warning.asText();
  }

  /* The server lists a hundred at most. */
  private static String most(int count) {
    return count < 100 ? String.valueOf(count) : "100 or more";
  }
}
