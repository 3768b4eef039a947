package dev.carillon.cli.run;

import com.fasterxml.jackson.databind.JsonNode;
import dev.carillon.cli.console.Ages;
import dev.carillon.cli.console.Json;
import dev.carillon.cli.console.Output;
import dev.carillon.cli.console.Palette.Style;
import dev.carillon.cli.console.Plain;
import dev.carillon.cli.console.Sheet;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;

/** Shows runs to people. */
final class RunText {
  /** How runs are listed. */
  static final Sheet SHEET =
      new Sheet()
          .word("RUN", "/id")
          .text("SCHEDULE", run -> orDash(Json.text(run, "/schedule")))
          .text("TARGET", "/target")
          .state("STATE", "/state")
          .number("ATTEMPT", "/attempt")
          .when("DUE", "/dueAt")
          .number("LATE", run -> length(run, "/latenessMs"))
          .number("TOOK", run -> length(run, "/durationMs"))
          .text("WHY", RunText::why);

  private static final Sheet ATTEMPTS =
      new Sheet()
          .number("ATTEMPT", "/number")
          .state("STATE", "/state")
          .when("STARTED", "/startedAt")
          .when("FINISHED", "/finishedAt")
          .text("NODE", "/node")
          .text("FAILURE", RunText::failure);

  private RunText() {}

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
      ATTEMPTS.print(run.path("attempts"), output);
    }
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
    String reason = failure.isEmpty() ? Json.text(run, "/reason") : failure;
    return reason.isEmpty() ? Json.text(run, "/code") : reason;
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

  /** Return how long a run took; empty if it is not over, or never began. */
  static String took(JsonNode run) {
    Optional<Instant> finished = Json.instant(run, "/finishedAt");
    return Json.instant(run, "/startedAt")
        .flatMap(started -> finished.map(end -> Ages.length(Duration.between(started, end))))
        .orElse("");
  }

  private static String orDash(String text) {
    return text.isEmpty() ? "-" : text;
  }

  private static String padded(String name) {
    return name + " ".repeat(Math.max(0, 14 - name.length()));
  }
}
