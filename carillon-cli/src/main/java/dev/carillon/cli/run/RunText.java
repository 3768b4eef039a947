package dev.carillon.cli.run;

import com.fasterxml.jackson.databind.JsonNode;
import dev.carillon.cli.console.AgeText;
import dev.carillon.cli.console.DetailView;
import dev.carillon.cli.console.HumanText;
import dev.carillon.cli.console.Json;
import dev.carillon.cli.console.Output;
import dev.carillon.cli.console.Palette.Style;
import dev.carillon.cli.console.TableLayout;
import dev.carillon.cli.console.TerminalText;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Map;
import java.util.Optional;

/** Shows runs to people. */
final class RunText {
  static final TableLayout LIST =
      new TableLayout()
          .word("RUN", "/id")
          .text("SCHEDULE", run -> orDash(Json.text(run, "/schedule")))
          .text("TARGET", "/target")
          .word("TRIGGER", "/trigger")
          .word("SLOT", (run, output) -> slot(run))
          .state("STATE", "/state")
          .number("ATTEMPT", "/attempt")
          .when("DUE", "/dueAt")
          .number("LATE", run -> length(run, "/latenessMs"))
          .number("TOOK", run -> length(run, "/durationMs"))
          .text("WHY", (run, output) -> whyOrNext(run, output));

  private static final TableLayout ATTEMPTS =
      new TableLayout()
          .number("ATTEMPT", "/number")
          .state("STATE", "/state")
          .when("STARTED", "/startedAt")
          .when("FINISHED", "/finishedAt")
          .text("NODE", "/node")
          .text("FAILURE", attempt -> failure(attempt));

  private RunText() {}

  static void show(JsonNode run, Output output) {
    output.line(
        "%s  %s"
            .formatted(
                output.paint(Style.STRONG, TerminalText.line(Json.text(run, "/id"))),
                output.word(Json.text(run, "/state"))));
    output.line("");
    details(run, output).print(output);
    if (!run.path("attempts").isEmpty()) {
      output.line("");
      ATTEMPTS.print(run.path("attempts"), output);
    }
  }

  private static DetailView details(JsonNode run, Output output) {
    var detailView = new DetailView();
    for (Map.Entry<String, JsonNode> field : run.properties()) {
      String name = field.getKey();
      JsonNode value = field.getValue();
      if (name.matches("id|state|attempts|lastFailure|template") || HumanText.isNothing(value)) {
        continue;
      }
      switch (name) {
        case "payload", "expandedPayload" ->
            detailView.add(HumanText.label(name), HumanText.json(value));
        case "failure" -> failure(detailView, run);
        case "dismissed" ->
            detailView
                .add(name, moment(value.path("at"), output))
                .add("dismissed by", TerminalText.line(Json.text(value, "/by")))
                .add("because", TerminalText.line(Json.text(value, "/reason")));
        case "dueAt", "startedAt", "finishedAt", "createdAt", "updatedAt" ->
            detailView.add(HumanText.label(name.replace("At", "")), moment(value, output));
        case "slot" -> detailView.add(name, moment(value, output));
        case "nextAttemptAt" ->
            detailView
                .add("next attempt", moment(value, output))
                .add("because", TerminalText.line(failure(run, "/lastFailure")));
        case "durationMs" -> detailView.add("took", length(run, "/durationMs"));
        case "latenessMs" -> detailView.add("late", length(run, "/latenessMs"));
        default -> detailView.add(HumanText.label(name), HumanText.value(value));
      }
    }
    return detailView;
  }

  private static void failure(DetailView detailView, JsonNode run) {
    detailView.add("failure", TerminalText.line(failure(run)));
    detailView.add(
        "details", Json.text(run, "/failure/details").lines().map(TerminalText::line).toList());
  }

  private static String moment(JsonNode value, Output output) {
    return output.when(value, "")
        + output.paint(Style.FAINT, "  " + TerminalText.line(value.asText()));
  }

  private static String slot(JsonNode run) {
    return Json.instant(run, "/slot")
        .map(slot -> slot.truncatedTo(ChronoUnit.SECONDS).toString())
        .orElse("-");
  }

  /* Why it ended as it did; or, if it is tried again, when and why. */
  private static String whyOrNext(JsonNode run, Output output) {
    return Json.instant(run, "/nextAttemptAt")
        .map(
            next ->
                "tried again %s: %s"
                    .formatted(output.ages().of(next), failure(run, "/lastFailure")))
        .orElseGet(() -> why(run));
  }

  /** Say why a run ended as it did; empty if it needs no reason. */
  static String why(JsonNode run) {
    String failure = failure(run);
    String reason = failure.isEmpty() ? Json.text(run, "/reason") : failure;
    return reason.isEmpty() ? Json.text(run, "/code") : reason;
  }

  private static String failure(JsonNode run) {
    return failure(run, "/failure");
  }

  private static String failure(JsonNode run, String pointer) {
    String code = Json.text(run, pointer + "/code");
    String message = Json.text(run, pointer + "/message");
    return code.isEmpty() || message.isEmpty() ? code + message : code + ": " + message;
  }

  /** Return the milliseconds at {@code pointer} as a length of time; empty if there are none. */
  static String length(JsonNode run, String pointer) {
    JsonNode millis = run.at(pointer);
    return millis.isNumber() ? AgeText.length(Duration.ofMillis(millis.asLong())) : "";
  }

  /** Return how long a run took; empty if it is not over, or never began. */
  static String took(JsonNode run) {
    Optional<Instant> finished = Json.instant(run, "/finishedAt");
    return Json.instant(run, "/startedAt")
        .flatMap(started -> finished.map(end -> AgeText.length(Duration.between(started, end))))
        .orElse("");
  }

  private static String orDash(String text) {
    return text.isEmpty() ? "-" : text;
  }
}
