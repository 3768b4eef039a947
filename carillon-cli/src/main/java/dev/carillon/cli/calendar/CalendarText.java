package dev.carillon.cli.calendar;

import com.fasterxml.jackson.databind.JsonNode;
import dev.carillon.cli.console.Json;
import dev.carillon.cli.console.Output;
import dev.carillon.cli.console.TableLayout;
import dev.carillon.cli.console.TerminalText;

/** Calendars as people read them. */
final class CalendarText {
  private static final TableLayout DAY_CHANGES =
      new TableLayout()
          .text("DATE", "/date")
          .text("WAS", "/from")
          .text("IS", "/to")
          .text("BECAUSE", "/because");

  private CalendarText() {}

  static void printChanges(JsonNode changes, Output output) {
    for (JsonNode change : changes) {
      output.line(
          "%s: %s -> %s"
              .formatted(
                  TerminalText.line(Json.text(change, "/field")),
                  shown(change.path("from")),
                  shown(change.path("to"))));
    }
  }

  private static String shown(JsonNode value) {
    return value.isNull() || value.isMissingNode()
        ? "none"
        : TerminalText.line(
            value.path("name").isTextual()
                ? value.path("name").asText()
                : value.isTextual() ? value.asText() : Json.write(value));
  }

  /** Print who uses something, one on a line. */
  static void printUsers(JsonNode users, Output output) {
    users
        .path("calendars")
        .forEach(other -> output.line("calendar " + TerminalText.line(other.asText())));
    users
        .path("firstSchedules")
        .forEach(key -> output.line("schedule " + TerminalText.line(key.asText())));
    long more = users.path("schedules").asLong() - users.path("firstSchedules").size();
    if (more > 0) {
      output.line("and %s more schedules".formatted(more));
    }
  }

  static void printDeletion(JsonNode answer, Output output) {
    JsonNode users = answer.path("users");
    boolean used = Json.text(answer, "/result").equals("in_use");
    output.line(used ? "would not be deleted: it is in use" : "would be deleted");
    printUsers(users, output);
    if (!used) {
      RuleChangeText.print(answer, output);
    }
  }

  static void printDryRun(JsonNode answer, Output output) {
    output.line("would be " + Json.text(answer, "/result"));
    printChanges(answer.path("changes"), output);
    if (!answer.path("days").isEmpty()) {
      output.line("");
      DAY_CHANGES.print(answer.path("days"), output);
    }
    output.line("");
    output.line(
        "%s business days more, %s fewer, from %s to %s"
            .formatted(
                Json.text(answer, "/businessDaysGained"),
                Json.text(answer, "/businessDaysLost"),
                Json.text(answer, "/daysFrom"),
                Json.text(answer, "/daysTo")));
    RuleChangeText.print(answer, output);
  }
}
