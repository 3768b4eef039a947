package dev.carillon.cli.admin;

import com.fasterxml.jackson.databind.JsonNode;
import dev.carillon.cli.console.Json;
import dev.carillon.cli.console.Output;
import dev.carillon.cli.console.Plain;

/** Tells what became of the schedules of a workflow. */
final class WorkflowSchedules {
  private WorkflowSchedules() {}

  /** Print a line for each schedule that {@code answer} tells of. */
  static void print(JsonNode answer, Output output) {
    for (JsonNode schedule : answer.path("schedules")) {
      String result = Json.text(schedule, "/result").replace("new_version", "changed");
      output.line(
          "  %s%s  %s"
              .formatted(
                  output.word(result),
                  " ".repeat(Math.max(0, 9 - result.length())),
                  Plain.line(Json.text(schedule, "/key"))));
    }
  }
}
