package dev.carillon.cli.schedule;

import com.fasterxml.jackson.databind.JsonNode;
import dev.carillon.cli.console.Json;
import dev.carillon.cli.console.Output;
import dev.carillon.cli.console.Palette.Style;
import dev.carillon.cli.console.Plain;
import dev.carillon.cli.console.Sheet;
import dev.carillon.cli.console.Table;
import dev.carillon.cli.console.Table.Cell;
import dev.carillon.cli.console.Table.Column;
import java.time.Instant;
import java.util.List;
import java.util.Map;

/** Shows schedules to people. */
final class ScheduleText {
  /* What get tells in places of its own, or what is of no interest to people. */
  private static final List<String> TOLD =
      List.of(
          "key", "status", "version", "pauseReason", "pausedUntil", "next", "lastRun", "recent");

  private static final Map<String, String> MARKS =
      Map.of(
          "succeeded",
          "✓",
          "failed",
          "✗",
          "running",
          "▶",
          "pending",
          "·",
          "canceled",
          "-",
          "skipped",
          "-");

  private ScheduleText() {}

  /** How schedules are listed. */
  static final Sheet SHEET =
      new Sheet()
          .text("KEY", "/key")
          .state("STATUS", "/status")
          .number("VERSION", "/version")
          .text("TIMING", schedule -> timing(schedule.path("timing")))
          .text("TARGET", "/target")
          .word("NEXT", ScheduleText::next)
          .state("LAST RUN", "/lastRun/state");

  /** Print everything about {@code schedule}. */
  static void show(JsonNode schedule, Output output) {
    output.line(
        "%s  %s%s"
            .formatted(
                output.paint(Style.STRONG, Plain.line(Json.text(schedule, "/key"))),
                output.word(Json.text(schedule, "/status")),
                version(schedule)));
    String reason = Json.text(schedule, "/pauseReason");
    if (!reason.isEmpty()) {
      output.line("paused: " + Plain.line(reason));
    }
    output.line("");
    for (Map.Entry<String, JsonNode> field : schedule.properties()) {
      if (!TOLD.contains(field.getKey()) && !isNothing(field.getValue())) {
        output.line("  %s  %s".formatted(padded(field.getKey()), value(field, output)));
      }
    }
    output.line("  %s  %s".formatted(padded("next"), moments(schedule.path("next"), output)));
    String recent = recent(schedule.path("recent"));
    if (!recent.isEmpty()) {
      output.line("  %s  %s".formatted(padded("recent"), recent));
    }
  }

  private static String version(JsonNode schedule) {
    String version = Json.text(schedule, "/version");
    return version.isEmpty() ? "" : "  version " + version;
  }

  private static String value(Map.Entry<String, JsonNode> field, Output output) {
    JsonNode value = field.getValue();
    if (field.getKey().equals("timing")) {
      return Plain.line(timing(value));
    }
    if (field.getKey().endsWith("At") && value.isTextual()) {
      return output.when(value, "");
    }
    return Plain.line(value.isValueNode() ? value.asText() : Json.write(value));
  }

  private static boolean isNothing(JsonNode value) {
    return value.isNull()
        || (value.isContainerNode() && value.isEmpty())
        || (value.isTextual() && value.asText().isEmpty());
  }

  /** Say when a schedule fires, shortly. */
  static String timing(JsonNode timing) {
    if (timing.has("cron")) {
      String zone = Json.text(timing, "/zone");
      return Json.text(timing, "/cron") + (zone.isEmpty() || zone.equals("UTC") ? "" : " " + zone);
    }
    if (timing.has("every")) {
      boolean paced = Json.text(timing, "/after").equals("finish");
      return "every " + Json.text(timing, "/every") + (paced ? " after the last finished" : "");
    }
    return timing.has("at") ? "at " + Json.text(timing, "/at") : Json.write(timing);
  }

  private static String next(JsonNode schedule, Output output) {
    JsonNode next = schedule.path("next");
    return next.isArray() ? first(next, output) : output.when(schedule, "/next");
  }

  private static String first(JsonNode next, Output output) {
    return next.isEmpty() ? "-" : moment(next.get(0), output);
  }

  private static String moments(JsonNode next, Output output) {
    if (!next.isArray() || next.isEmpty()) {
      return "-";
    }
    var moments = new StringBuilder();
    next.forEach(
        each -> moments.append(moments.isEmpty() ? "" : ", ").append(moment(each, output)));
    return moments.toString();
  }

  /* A fire is told as its slot, or as an object that has one. */
  private static String moment(JsonNode fire, Output output) {
    return fire.isObject() ? output.when(fire, "/slot") : output.when(fire, "");
  }

  private static String recent(JsonNode states) {
    var marks = new StringBuilder();
    for (JsonNode each : states) {
      String state = each.isObject() ? Json.text(each, "/state") : each.asText();
      marks.append(MARKS.getOrDefault(state, "?"));
    }
    return marks.toString();
  }

  private static String padded(String name) {
    return name + " ".repeat(Math.max(0, 18 - name.length()));
  }

  /** Print {@code fires}: what happened at past slots, and what will at future ones. */
  static void fires(JsonNode fires, Output output, Instant now) {
    var table =
        new Table(
            Column.word("SLOT"),
            Column.word("LOCAL"),
            Column.word("WHEN"),
            Column.word("DECISION"),
            Column.text("REASON"));
    for (JsonNode fire : fires) {
      table.add(
          new Cell(
              Json.text(fire, "/slot"),
              Json.instant(fire, "/slot").filter(now::isAfter).isPresent()
                  ? Style.FAINT
                  : Style.PLAIN),
          Cell.of(Json.text(fire, "/local")),
          Cell.of(output.when(fire, "/dueAt")),
          Cell.word(Json.text(fire, "/decision")),
          Cell.of(Json.text(fire, "/reason")));
    }
    output.table(table);
  }
}
