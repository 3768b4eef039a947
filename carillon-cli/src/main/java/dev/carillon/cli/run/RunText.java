package dev.carillon.cli.run;

import com.fasterxml.jackson.databind.JsonNode;
import dev.carillon.cli.console.Ages;
import dev.carillon.cli.console.Json;
import dev.carillon.cli.console.Output;
import dev.carillon.cli.console.Palette.Style;
import dev.carillon.cli.console.Plain;
import dev.carillon.cli.console.Table;
import dev.carillon.cli.console.Table.Cell;
import dev.carillon.cli.console.Table.Column;
import java.time.Duration;
import java.util.Map;

/** Shows runs to people. */
final class RunText {
  private RunText() {}

  /** Print one line for each of {@code runs}. */
  static void list(JsonNode runs, Output output) {
    var table =
        new Table(
            Column.word("RUN"),
            Column.text("SCHEDULE"),
            Column.text("TARGET"),
            Column.word("STATE"),
            Column.number("ATTEMPT"),
            Column.word("DUE"),
            Column.number("LATE"),
            Column.number("TOOK"),
            Column.text("WHY"));
    for (JsonNode run : runs) {
      table.add(
          Cell.of(Json.text(run, "/id")),
          Cell.of(orDash(Json.text(run, "/schedule"))),
          Cell.of(Json.text(run, "/target")),
          Cell.word(Json.text(run, "/state")),
          Cell.of(Json.text(run, "/attempt")),
          Cell.of(output.when(run, "/dueAt")),
          Cell.of(length(run, "/latenessMs")),
          Cell.of(length(run, "/durationMs")),
          Cell.of(why(run)));
    }
    output.table(table);
  }

  /** Print everything about {@code run}, with its attempts. */
  static void show(JsonNode run, Output output) {
    output.line(
        "%s  %s"
            .formatted(
                output.paint(Style.STRONG, Plain.line(Json.text(run, "/id"))),
                output.word(Json.text(run, "/state"))));
    output.line("");
    for (Map.Entry<String, JsonNode> field : run.properties()) {
      JsonNode value = field.getValue();
      boolean told = field.getKey().matches("id|state|attempts");
      if (!told && !value.isNull() && !value.isMissingNode()) {
        output.line("  %s  %s".formatted(padded(field.getKey()), value(field, output)));
      }
    }
    if (!run.path("attempts").isEmpty()) {
      output.line("");
      attempts(run.path("attempts"), output);
    }
  }

  private static void attempts(JsonNode attempts, Output output) {
    var table =
        new Table(
            Column.number("ATTEMPT"),
            Column.word("STARTED"),
            Column.word("FINISHED"),
            Column.text("NODE"),
            Column.text("FAILURE"));
    for (JsonNode attempt : attempts) {
      String number = Json.text(attempt, "/number");
      table.add(
          Cell.of(number.isEmpty() ? Json.text(attempt, "/attempt") : number),
          Cell.of(output.when(attempt, "/startedAt")),
          Cell.of(output.when(attempt, "/finishedAt")),
          Cell.of(Json.text(attempt, "/node")),
          Cell.of(failure(attempt)));
    }
    output.table(table);
  }

  private static String value(Map.Entry<String, JsonNode> field, Output output) {
    JsonNode value = field.getValue();
    if (value.isTextual() && (field.getKey().endsWith("At") || field.getKey().equals("slot"))) {
      return output.when(value, "") + output.paint(Style.FAINT, "  " + Plain.line(value.asText()));
    }
    return Plain.line(value.isValueNode() ? value.asText() : Json.write(value));
  }

  /** Say why a run ended as it did; empty if it needs no reason. */
  static String why(JsonNode run) {
    String failure = failure(run);
    return failure.isEmpty() ? Json.text(run, "/reason") : failure;
  }

  private static String failure(JsonNode run) {
    String code = Json.text(run, "/failure/code");
    String message = Json.text(run, "/failure/message");
    return code.isEmpty() || message.isEmpty() ? code + message : code + ": " + message;
  }

  /** Return the milliseconds at {@code pointer} as a length of time; empty if there are none. */
  static String length(JsonNode run, String pointer) {
    JsonNode millis = run.at(pointer);
    return millis.isNumber() ? Ages.length(Duration.ofMillis(millis.asLong())) : "";
  }

  private static String orDash(String text) {
    return text.isEmpty() ? "-" : text;
  }

  private static String padded(String name) {
    return name + " ".repeat(Math.max(0, 14 - name.length()));
  }
}
